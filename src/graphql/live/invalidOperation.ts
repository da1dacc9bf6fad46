import { GraphQLError } from 'graphql';
import { InvalidOperation } from '../InvalidOperation.js';

/** A refusal of an operation that the document's own check could not see. */
export function invalidOperation(message: string): InvalidOperation {
  return new InvalidOperation([withCode(new GraphQLError(message))]);
}

export function withCode(error: GraphQLError): GraphQLError {
  error.extensions['code'] = 'GRAPHQL_VALIDATION_FAILED';
  return error;
}
