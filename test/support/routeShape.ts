import { routeDocument } from '../../rest-bridge/routeDocument.js';
import type { Route } from '../../rest-bridge/Route.js';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';

const schema = buildGuardedSchema();

function takes(route: Route, variable: string): boolean {
  const [operation] = routeDocument(schema, route).definitions;
  if (operation?.kind !== 'OperationDefinition') return false;
  return (operation.variableDefinitions ?? []).some(
    (definition) => definition.variable.name.value === variable,
  );
}

export const isMutation = ({ method }: Route): boolean => method !== 'GET';
export const takesBody = (route: Route): boolean => takes(route, 'input');
export const isList = (route: Route): boolean => takes(route, 'cursor');
