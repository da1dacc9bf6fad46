import { parse } from 'graphql';
import type { FieldNode, OperationDefinitionNode } from 'graphql';
import type { Route } from './Route.js';

/** The REST routes that lead to a root field such as `Query.customer`. */
export function routesByField(routes: readonly Route[]): (field: string) => string[] {
  const byField = new Map<string, string[]>();
  for (const route of routes) {
    const operation = parse(route.document).definitions[0] as OperationDefinitionNode;
    const type = operation.operation === 'mutation' ? 'Mutation' : 'Query';
    const name = `${type}.${(operation.selectionSet.selections[0] as FieldNode).name.value}`;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    byField.set(name, [...(byField.get(name) ?? []), `${route.method} ${path}`]);
  }
  return (field) => byField.get(field) ?? [];
}
