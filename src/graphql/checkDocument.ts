import { GraphQLError, Kind, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { InvalidOperation } from './InvalidOperation.js';
import { limitRules } from './limits.js';

const RULES = [...specifiedRules, ...limitRules];

/** Parses a document and checks it against the schema and the limits. @throws InvalidOperation */
export function checkDocument(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parsed(text);
  const invalid = validate(schema, document, RULES);
  const problems = invalid.length > 0 ? invalid : rootless(schema, document);
  if (problems.length === 0) return document;
  throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof GraphQLError ? new InvalidOperation([withCode(error, 'GRAPHQL_PARSE_FAILED')]) : error;
  }
}

/** Operations of a kind that the schema does not have: graphql-js finds them valid and fails when it runs them. */
function rootless(schema: GraphQLSchema, { definitions }: DocumentNode): GraphQLError[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(definition.operation)
      ? [new GraphQLError(`There is no ${definition.operation} here.`, { nodes: definition })]
      : [],
  );
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] = code;
  return error;
}
