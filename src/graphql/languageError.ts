import { Kind } from 'graphql';
import type { GraphQLError, TypeNode } from 'graphql';
import type { ErrorCode, ErrorDetail } from '../errors.js';
import { validationFailed } from '../errors.js';

/**
 * An error of the language (syntax, validation, variables) in the vocabulary that both doors share
 * (docs/contract.md#errors).
 */
export interface LanguageError {
  code: ErrorCode;
  status: number;
  message: string;
  details?: readonly ErrorDetail[];
  /** The code by which GraphQL servers commonly know the error. */
  reason: string;
}

/**
 * A document that does not fit is `invalid_request`; an input object that does not fit is
 * `validation_failed`, as its JSON body would be.
 */
export function languageError(error: GraphQLError, reason: string): LanguageError {
  if (reason === 'INTERNAL_SERVER_ERROR')
    return { code: 'internal_error', status: 500, message: 'Something went wrong on our side.', reason };
  const detail = reason === 'BAD_USER_INPUT' ? inputProblem(error) : undefined;
  if (detail === undefined) return { code: 'invalid_request', status: 400, message: error.message, reason };
  const { code, status, message } = validationFailed([detail]);
  return { code, status, message, details: [detail], reason };
}

/**
 * What is wrong with a variable that holds an input object. graphql-js tells the place in its message only.
 */
function inputProblem({ nodes, message }: GraphQLError): ErrorDetail | undefined {
  const [node] = nodes ?? [];
  if (node?.kind !== Kind.VARIABLE_DEFINITION || !nameOf(node.type).endsWith('Input')) return undefined;
  // What was sent stands in front, in full: it is not repeated.
  const [, said = 'is not valid'] =
    /; ((?:Field|Value|Expected|[A-Z][A-Za-z]* cannot|must )[^;]*)$/s.exec(message) ?? [];
  const [, parent = ''] = / at "[^".]+\.([^"]+)"; /.exec(message) ?? [];
  const [, unknown] = /^Field "([^"]+)" is not defined/.exec(said) ?? [];
  const [, missing] = /^Field "([^"]+)" of required type/.exec(said) ?? [];
  const field = [parent, unknown ?? missing ?? ''].filter((part) => part !== '').join('.');
  const code =
    unknown === undefined ? (missing === undefined ? 'invalid_value' : 'required') : 'unknown_field';
  return { code, message: said, ...(field === '' ? {} : { field }) };
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
