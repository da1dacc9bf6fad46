import { GraphQLError, Kind, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { ServiceError } from '../errors.js';
import { InvalidOperation } from './InvalidOperation.js';
import { limitRules, MAX_DOCUMENT_BYTES, MAX_MERGE_WORK, MAX_OPERATIONS, MAX_TOKENS } from './limits.js';
import { mergeWork } from './mergeWork.js';

/** Maximum reported errors of one document; each searches for similar names. */
const MAX_ERRORS = 20;

const RULES = [...specifiedRules, ...limitRules];

/**
 * Parses a document and checks it against the schema and the limits.
 *
 * @throws ServiceError when it is too large
 * @throws InvalidOperation when it is not valid
 */
export function checkDocument(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parseDocument(text);
  requireModest(document);
  const problems = validate(schema, document, RULES, { maxErrors: MAX_ERRORS });
  if (problems.length === 0) return document;
  throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
}

/**
 * Refuses documents that take long to validate: its rules compare pairs of fields and visit the fragments of
 * each operation.
 *
 * @throws InvalidOperation
 */
function requireModest(document: DocumentNode): void {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  if (operations > MAX_OPERATIONS)
    throw InvalidOperation.because(`A document must not have more than ${MAX_OPERATIONS} operations.`);
  if (mergeWork(document) > MAX_MERGE_WORK)
    throw InvalidOperation.because('The same fields or fragments are selected too often.');
}

/** @throws ServiceError when it is too large, InvalidOperation when it is not GraphQL */
export function parseDocument(text: string): DocumentNode {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    throw new ServiceError(
      'payload_too_large',
      `A document must not be larger than ${MAX_DOCUMENT_BYTES} bytes.`,
    );
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
