import { GraphQLError, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { InvalidOperation } from './InvalidOperation.js';
import { limitRules } from './limits.js';

const RULES = [...specifiedRules, ...limitRules];

/** Parses a document and checks it against the schema and the limits. @throws InvalidOperation */
export function checkDocument(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parsed(text);
  const problems = validate(schema, document, RULES);
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

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] = code;
  return error;
}
