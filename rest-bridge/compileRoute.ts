import { getNamedType, isInputObjectType, typeFromAST, validate } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { accessOf } from '../src/access/FieldAccess.js';
import type { FieldAccess } from '../src/access/FieldAccess.js';
import { classOf } from '../src/access/guardSchema.js';
import type { OperationClass } from '../src/access/RateLimiter.js';
import { operationCost } from '../src/execution/operationCost.js';
import type { OperationCost } from '../src/execution/operationCost.js';
import { pathNamesOf } from './Route.js';
import type { Route } from './Route.js';
import { routeDocument } from './routeDocument.js';

/** A route whose document was parsed, validated and analysed. */
export interface CompiledRoute {
  route: Route;
  document: DocumentNode;
  access: FieldAccess;
  /** The root field whose value is the answer. */
  field: GraphQLField<unknown, unknown>;
  /** What of the value is selected. */
  selection: SelectionSetNode | undefined;
  isMutation: boolean;
  operationClass: OperationClass;
  /** The maximum cost of its operation, by its variables. */
  cost: OperationCost;
  /** The type of the body, when the route has one. */
  inputType: GraphQLInputType | undefined;
  queryTypes: ReadonlyMap<string, GraphQLInputType>;
  pathNames: readonly string[];
}

const RESERVED = new Set(['idempotency_key', 'input']);

/** @throws Error when the document does not fit the schema */
export function compileRoute(schema: GraphQLSchema, route: Route): CompiledRoute {
  const document = routeDocument(schema, route);
  const [problem] = validate(schema, document);
  if (problem) throw new Error(`Route ${route.operation}: ${problem.message}`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const node = operation.selectionSet.selections[0] as FieldNode;
  const field = schema.getRootType(operation.operation)?.getFields()[node.name.value];
  const access = field && accessOf(schema, field);
  if (field === undefined || access === undefined)
    throw new Error(`Route ${route.operation}: its field is not guarded.`);
  const types = variableTypes(schema, operation);
  const isMutation = operation.operation === 'mutation';
  const pathNames = pathNamesOf(route);
  const inputType = types.get('input');
  if (inputType && !isInputObjectType(getNamedType(inputType)))
    throw new Error(`Route ${route.operation}: its body is no object.`);
  const queryTypes = new Map([...types].filter(([name]) => !RESERVED.has(name) && !pathNames.includes(name)));
  return {
    route,
    document,
    access,
    field,
    selection: node.selectionSet,
    isMutation,
    operationClass: classOf(field.name, isMutation),
    cost: operationCost(schema, document, operation),
    inputType,
    queryTypes,
    pathNames,
  };
}

function variableTypes(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Map<string, GraphQLInputType> {
  const definitions = operation.variableDefinitions ?? [];
  return new Map(
    definitions.map(({ variable, type }) => {
      const found = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
      if (found === undefined) throw new Error(`The variable $${variable.name.value} has no type.`);
      return [variable.name.value, found];
    }),
  );
}
