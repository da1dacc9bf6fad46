import { getVariableValues, GraphQLError } from 'graphql';
import type { GraphQLSchema, VariableDefinitionNode } from 'graphql';
import { MAX_DETAILS } from '../errors.js';

/** Maximum counted problems of variables. Each takes time, and a body can contain a million. */
const MAX_COUNTED = 1000;

type Definitions = readonly VariableDefinitionNode[];
type Variables = Readonly<Record<string, unknown>>;

/**
 * The errors of an operation's variables: at most 50, and one that states how many more there are. Undefined
 * when the variables are valid.
 */
export function variableErrors(
  schema: GraphQLSchema,
  definitions: Definitions,
  variables: Variables,
): readonly GraphQLError[] | undefined {
  const { errors } = getVariableValues(schema, definitions, variables, { maxErrors: MAX_DETAILS });
  if (errors === undefined) return undefined;
  const told = errors.slice(0, MAX_DETAILS).map((error) => {
    error.extensions['code'] = 'BAD_USER_INPUT';
    return error;
  });
  return errors.length > MAX_DETAILS
    ? [...told, omittedProblems(schema, definitions, variables, told[0])]
    : told;
}

/** The error that states the number of omitted ones. */
function omittedProblems(
  schema: GraphQLSchema,
  definitions: Definitions,
  variables: Variables,
  first?: GraphQLError,
): GraphQLError {
  const options = { maxErrors: MAX_COUNTED, hideSuggestions: true };
  const found = getVariableValues(schema, definitions, variables, options).errors?.length ?? 0;
  const omitted = Math.min(found, MAX_COUNTED) - MAX_DETAILS;
  const count = found > MAX_COUNTED ? `At least ${omitted}` : String(omitted);
  return new GraphQLError(`${count} more problems of the variables are left out.`, {
    nodes: first?.nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', detailsOmitted: omitted },
  });
}
