import type { GraphQLError } from 'graphql';

/** An operation that is refused before it runs, with everything that is wrong with it. */
export class InvalidOperation extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'The operation is not valid.');
  }
}
