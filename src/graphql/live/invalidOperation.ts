import { GraphQLError } from 'graphql';
import { InvalidOperation } from '../InvalidOperation.js';

/** The refusal of an operation for a problem that the check of the document cannot find. */
export function invalidOperation(message: string): InvalidOperation {
  return new InvalidOperation([withCode(new GraphQLError(message))]);
}

export function withCode(error: GraphQLError): GraphQLError {
  error.extensions['code'] = 'GRAPHQL_VALIDATION_FAILED';
  return error;
}
