import { GraphQLError, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { ServiceError } from '../errors.js';
import { InvalidOperation } from './InvalidOperation.js';
import { limitRules, MAX_DOCUMENT_BYTES, MAX_TOKENS } from './limits.js';

const RULES = [...specifiedRules, ...limitRules];

/**
 * Parses a document and checks it against the schema and the limits.
 *
 * @throws ServiceError where it is too large
 * @throws InvalidOperation where it is not valid
 */
export function checkDocument(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parsed(text);
  const problems = validate(schema, document, RULES);
  if (problems.length === 0) return document;
  throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
}

/** @throws ServiceError where it is too large, InvalidOperation where it is not GraphQL */
function parsed(text: string): DocumentNode {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    throw new ServiceError('payload_too_large', `A document must not be larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.message.includes(`${MAX_TOKENS} tokens`))
      throw new ServiceError('invalid_request', `A document must not have more than ${MAX_TOKENS} tokens.`);
    throw new InvalidOperation([withCode(error, 'GRAPHQL_PARSE_FAILED')]);
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] = code;
  return error;
}
