import type { GraphQLRequest } from '@apollo/server';
import { operationKey } from '../execution/KnownOperations.js';

/** The key by which the operation of a request that Apollo Server has resolved is known. */
export function keyOfRequest(
  { operationName, extensions }: Pick<GraphQLRequest, 'operationName' | 'extensions'>,
  text: string,
  hash: string,
): string {
  const isPersisted = extensions?.['persistedQuery'] !== undefined;
  return operationKey(isPersisted ? { hash } : { text }, operationName ?? undefined);
}
