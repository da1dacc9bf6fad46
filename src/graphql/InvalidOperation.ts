import type { GraphQLError } from 'graphql';

/** The refusal of an operation before it runs, with all its errors. */
export class InvalidOperation extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'The operation is not valid.');
  }
}
