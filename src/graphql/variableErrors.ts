import { coerceInputValue, getVariableValues, GraphQLError, typeFromAST } from 'graphql';
import type { GraphQLInputType, GraphQLSchema, VariableDefinitionNode } from 'graphql';
import { MAX_DETAILS } from '../errors.js';

/** Maximum counted problems of variables: a body can contain a million. */
const MAX_COUNTED = 1000;

type Variables = Readonly<Record<string, unknown>>;

/** Ends the search. Made once: an error of its own takes 3 % of a read, for its stack. */
const ENOUGH = new Error('enough problems');

/** Takes a problem of a variable; throws when it takes no more. */
type Report = (message: string) => void;

/**
 * The errors of an operation's variables: at most 50, and one that states how many more there are. Undefined
 * when the variables are valid. The time is linear in their size: graphql-js alone would print a whole input
 * object for each of its problems.
 *
 * @param definitions of a valid document
 */
export function variableErrors(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): readonly GraphQLError[] | undefined {
  const told: GraphQLError[] = [];
  let found = 0;
  try {
    for (const definition of definitions)
      reportProblems(schema, definition, variables, (message) => {
        found += 1;
        if (found > MAX_COUNTED) throw ENOUGH;
        if (found <= MAX_DETAILS) told.push(inputError(message, definition));
      });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  if (found === 0) return undefined;
  return found > MAX_DETAILS ? [...told, omittedProblems(found, definitions[0])] : told;
}

function reportProblems(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  variables: Variables,
  report: Report,
): void {
  const name = definition.variable.name.value;
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined || value === null) {
    const { errors = [] } = getVariableValues(schema, [definition], variables);
    for (const { message } of errors) report(message);
    return;
  }
  const type = typeFromAST(schema, definition.type) as GraphQLInputType;
  coerceInputValue(value, type, (path, _value, { message }) =>
    report(`Variable "$${name}" got invalid value${placeIn(name, path)}; ${message}`),
  );
}

function placeIn(name: string, path: readonly (string | number)[]): string {
  if (path.length === 0) return '';
  return ` at "${name}${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}"`;
}

/** The error that states the number of omitted ones. */
function omittedProblems(found: number, first: VariableDefinitionNode | undefined): GraphQLError {
  const omitted = Math.min(found, MAX_COUNTED) - MAX_DETAILS;
  const count = found > MAX_COUNTED ? `At least ${omitted}` : String(omitted);
  return inputError(`${count} more problems of the variables are left out.`, first, {
    detailsOmitted: omitted,
  });
}

function inputError(
  message: string,
  node: VariableDefinitionNode | undefined,
  extensions: { detailsOmitted?: number } = {},
): GraphQLError {
  return new GraphQLError(message, {
    nodes: node ?? null,
    extensions: { code: 'BAD_USER_INPUT', ...extensions },
  });
}
