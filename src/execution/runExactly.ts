import { execute, getOperationAST, GraphQLError, Kind, visit } from 'graphql';
import type {
  DocumentNode,
  ExecutionResult,
  FieldNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { RequestContext } from '../access/RequestContext.js';

/** As graphql-jit runs a compiled operation. */
export type Run = (
  root: undefined,
  context: RequestContext,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

interface Executable {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | undefined;
}

/**
 * Runs a compiled query. If its result may differ from that of graphql-js, runs graphql-js on the same
 * context, which counts points and denials once. The second run may see a later state. Reads have no other
 * effects, except those of an operator, which are logged: they must not be run here.
 *
 * Results of graphql-jit without errors are exact. With errors, it reports more of them than graphql-js where
 * null propagates, and in another order. It does not report our internal errors, and does not apply the
 * default of a variable that must not be null.
 */
export function runExactly(compiled: Run, executable: Executable): Run {
  const { schema, document, operationName } = executable;
  const definition = getOperationAST(document, operationName);
  const conditions = definition ? nullableConditions(definition, document) : [];
  const nodes = fieldsByPlace(document);
  return (root, contextValue, variableValues) => {
    const plain = (): ExecutionResult | Promise<ExecutionResult> => {
      contextValue.charge.resources = 0;
      return execute({
        schema,
        document,
        contextValue,
        variableValues,
        operationName: operationName ?? null,
      });
    };
    if (conditions.some((name) => variableValues[name] === null)) return plain();
    const settle = (result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> => {
      if (result.errors === undefined) return result;
      return isExact(result)
        ? { ...result, errors: result.errors.map((error) => located(error, nodes)) }
        : plain();
    };
    const result = compiled(root, contextValue, variableValues);
    return result instanceof Promise ? result.then(settle) : settle(result);
  };
}

/** Nullable variables of conditions: graphql-js refuses null there, graphql-jit treats it as false. */
function nullableConditions(
  { variableDefinitions = [] }: OperationDefinitionNode,
  document: DocumentNode,
): string[] {
  const used = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) used.add(value.name.value);
    },
  });
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
  return nullable.map(({ variable }) => variable.name.value).filter((name) => used.has(name));
}

/**
 * Whether graphql-js would report the same errors in the same order: a single one, or those of the items of
 * one list.
 */
function isExact({ data, errors = [] }: ExecutionResult): boolean {
  if (data === undefined || !errors.every(isThrownBelow)) return false;
  if (errors.length < 2) return true;
  return new Set(errors.map(placeOf)).size === 1 && errors.every(({ path = [] }) => standsAlone(data, path));
}

/** Whether a resolver threw or returned the error, at a path in the answer. */
function isThrownBelow({ path, originalError }: GraphQLError): boolean {
  return path !== undefined && originalError instanceof Error && !(originalError instanceof GraphQLError);
}

function placeOf({ path = [], locations }: GraphQLError): string {
  return JSON.stringify([locations, path.filter((step) => typeof step === 'string')]);
}

/** Whether the field's own null is the first on its path, so it has not propagated. */
function standsAlone(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value === null;
}

type Nodes = ReadonlyMap<string, FieldNode>;

function fieldsByPlace(document: DocumentNode): Nodes {
  const nodes = new Map<string, FieldNode>();
  visit(document, {
    [Kind.FIELD]: (node) => {
      const { line, column } = node.loc?.startToken ?? {};
      nodes.set(`${line}:${column}`, node);
    },
  });
  return nodes;
}

/** Adds the nodes, which errors of graphql-jit lack, and the empty `extensions` of graphql-js. */
function located({ message, locations = [], path, originalError }: GraphQLError, nodes: Nodes): GraphQLError {
  const found = locations.flatMap(({ line, column }) => nodes.get(`${line}:${column}`) ?? []);
  return new GraphQLError(message, { nodes: found, path, originalError });
}
