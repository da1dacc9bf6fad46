import { GraphQLError } from 'graphql';

/** The refusal of an operation before it runs, with all its errors. */
export class InvalidOperation extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'The operation is not valid.');
  }

  /** A refusal for one reason. @param code the usual code of GraphQL servers */
  static because(message: string, code = 'GRAPHQL_VALIDATION_FAILED'): InvalidOperation {
    return new InvalidOperation([new GraphQLError(message, { extensions: { code } })]);
  }
}
