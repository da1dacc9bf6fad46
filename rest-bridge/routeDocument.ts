import { parse, visit } from 'graphql';
import type { DocumentNode, GraphQLArgument, GraphQLSchema, OperationTypeNode } from 'graphql';
import { memberName } from '../src/domain/door.js';
import { fieldOf, pathNamesOf } from './Route.js';
import type { Route } from './Route.js';
import { spreadTypes } from './spreadTypes.js';

/**
 * The operation of a route: every argument of its field bound to a variable, and its selection in REST
 * spelling. The answer is its field `result`.
 *
 * @throws Error when the schema has no such field
 */
export function routeDocument(schema: GraphQLSchema, route: Route): DocumentNode {
  const { type, name } = fieldOf(route);
  const field = schema.getRootType(type as OperationTypeNode)?.getFields()[name];
  if (field === undefined) throw new Error(`Route ${route.operation}: there is no field ${name}.`);
  const bound = inOrder(field.args).map(({ name: argument, type: of }) => {
    const variable = `$${variableOf(route, argument)}`;
    return { declaration: `${variable}: ${String(of)}`, argument: `${argument}: ${variable}` };
  });
  const declarations = bound.map(({ declaration }) => declaration).join(' ');
  const given = bound.map(({ argument }) => argument).join(' ');
  const selected = spreadTypes(schema, route.select);
  return spelled(
    parse(`${type} ${route.operation}(${declarations}) { result: ${name}(${given}) { ${selected} } }`),
  );
}

const PAGE = new Map([
  ['first', 'limit'],
  ['after', 'cursor'],
]);

/**
 * Sorts arguments as written in the resolver, with those of the page last. type-graphql lists them in
 * reverse.
 */
function inOrder(args: readonly GraphQLArgument[]): GraphQLArgument[] {
  const place = ({ name }: GraphQLArgument): number => [...PAGE.keys()].indexOf(name);
  return args.toReversed().toSorted((one, other) => place(one) - place(other));
}

function variableOf(route: Route, argument: string): string {
  const [id = 'id'] = pathNamesOf(route);
  return argument === 'id' ? id : (PAGE.get(argument) ?? memberName('rest', argument));
}

/** Adds the REST name to members without an alias. */
function spelled(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: (node) => {
      const value = memberName('rest', node.name.value);
      if (node.alias !== undefined || value === node.name.value) return undefined;
      return { ...node, alias: { ...node.name, value } };
    },
  });
}
