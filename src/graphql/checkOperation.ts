import type { GraphQLRequestContextDidResolveOperation } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../access/RequestContext.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { checkCost } from './limits.js';

/** What is said of an operation that is not registered where only those are answered. */
export const ONLY_REGISTERED = 'Only registered operations are answered here, by documentId.';
/** Its code among GraphQL servers. */
export const NOT_REGISTERED = 'QUERY_NOT_IN_SAFELIST';

type Resolved = Pick<
  GraphQLRequestContextDidResolveOperation<RequestContext>,
  'document' | 'request' | 'operationName' | 'queryHash' | 'source'
>;

/**
 * Whether a valid operation may run. Trusted documents were weighed at the start.
 *
 * @throws GraphQLError when it costs too much, or is not registered where that is asked for (`TRUSTED_DOCUMENTS_ONLY`),
 * by whatever way it came
 */
export function checkOperation(operations: KnownOperations, resolved: Resolved): void {
  const { document, request, operationName, queryHash, source } = resolved;
  if (operations.trustedOnly && !operations.isTrusted({ text: source }))
    throw new GraphQLError(ONLY_REGISTERED, { extensions: { code: NOT_REGISTERED, http: { status: 400 } } });
  if (operations.trustedDocument(queryHash)?.weighed === false) return;
  try {
    checkCost(operations.compiler.schema, document, request.variables ?? {}, operationName ?? undefined);
  } catch (error) {
    // Variables that do not fit are the executor's to refuse, with the code that clients know.
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) return;
    throw error;
  }
}
