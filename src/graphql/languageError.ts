import { Kind } from 'graphql';
import type { GraphQLError, TypeNode } from 'graphql';
import { scalarTypeProblem, visible } from '../access/inputShape.js';
import type { ErrorCode, ErrorDetail } from '../errors.js';
import { validationFailed } from '../errors.js';

/**
 * A GraphQL language error (syntax, validation, variables), with the codes that GraphQL and REST share
 * (docs/contract.md#errors).
 */
export interface LanguageError {
  code: ErrorCode;
  status: number;
  message: string;
  details?: readonly ErrorDetail[];
  /** The usual code of GraphQL servers for the error. */
  reason: string;
}

/**
 * What is wrong with an argument and found only when its field is executed, such as a variable with a default
 * that is null.
 */
const OF_AN_ARGUMENT = /^Argument "\w+" (?:of (?:required|non-null) type|has invalid value) /;

/**
 * An invalid document is `invalid_request`; an invalid input object is `validation_failed`, as its JSON body
 * would be.
 */
export function languageError(error: GraphQLError, standard: string): LanguageError {
  const reason = OF_AN_ARGUMENT.test(error.message) ? 'BAD_USER_INPUT' : standard;
  if (reason === 'INTERNAL_SERVER_ERROR')
    return { code: 'internal_error', status: 500, message: 'Something went wrong on our side.', reason };
  const detail = reason === 'BAD_USER_INPUT' ? inputProblem(error) : undefined;
  if (detail === undefined) return { code: 'invalid_request', status: 400, message: error.message, reason };
  const { code, status, message } = validationFailed([detail]);
  return { code, status, message, details: [detail], reason };
}

/** The problem of a variable that holds an input object. graphql-js gives its path only in the message. */
function inputProblem({ nodes, message }: GraphQLError): ErrorDetail | undefined {
  const [node] = nodes ?? [];
  if (node?.kind !== Kind.VARIABLE_DEFINITION || !nameOf(node.type).endsWith('Input')) return undefined;
  // The message starts with the variable and the path.
  const [, said = 'is not valid'] =
    /; ((?:Field|Value|Expected|[A-Z][A-Za-z]* cannot|must )[^;]*)$/s.exec(message) ?? [];
  const [, parent = ''] = / at "[^".]+\.([^"]+)"; /.exec(message) ?? [];
  const [, unknown] = /^Field "([^"]*)" is not defined/.exec(said) ?? [];
  const [, missing] = /^Field "([^"]+)" of required type/.exec(said) ?? [];
  const field = [parent, unknown === undefined ? (missing ?? '') : visible(unknown)]
    .filter((part) => part !== '')
    .join('.');
  const code = unknown === undefined ? (missing === undefined ? undefined : 'required') : 'unknown_field';
  const problem = code === undefined ? valueProblem(said, field) : { code, message: said };
  return { ...problem, ...(field === '' ? {} : { field }) };
}

/** The problem of a value, with the code of REST and, where graphql-js repeats the value, with its words. */
function valueProblem(said: string, field: string): ErrorDetail {
  if (/^Expected non-nullable type/.test(said))
    return field.endsWith(']')
      ? { code: 'invalid_type', message: 'must not be null' }
      : { code: 'required', message: 'is required' };
  const [, scalar = ''] = /^([A-Z][a-zA-Z]*) cannot/.exec(said) ?? [];
  const isNoObject = /^Expected type|^must be an object$/.test(said);
  const type = isNoObject ? 'must be an object' : scalarTypeProblem(scalar, undefined);
  if (type !== undefined) return { code: 'invalid_type', message: type };
  return { code: /^must be a string,/.test(said) ? 'invalid_type' : 'invalid_value', message: said };
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
