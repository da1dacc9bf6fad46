import type { ApolloServerPlugin, HTTPGraphQLRequest } from '@apollo/server';
import type { RequestContext } from '../access/RequestContext.js';

/**
 * `documentId` (GraphQL over HTTP, appendix A), of the body or the query string, is Apollo's persisted-query form in other words.
 * Where a text or that form is sent too, those count.
 */
export const documentIdPlugin: ApolloServerPlugin<RequestContext> = {
  requestDidStart({ request }) {
    const id = request.http && documentIdOf(request.http);
    if (id !== undefined && request.query === undefined && request.extensions?.['persistedQuery'] === undefined) {
      const persistedQuery = { version: 1, sha256Hash: id.replace(/^sha256:/, '') };
      request.extensions = { ...request.extensions, persistedQuery };
    }
    return Promise.resolve();
  },
};

function documentIdOf({ method, search, body }: HTTPGraphQLRequest): string | undefined {
  const sent = method === 'GET' ? new URLSearchParams(search).getAll('documentId') : [bodyId(body)];
  const [id] = sent;
  return sent.length === 1 && typeof id === 'string' ? id : undefined;
}

function bodyId(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'documentId' in body ? body.documentId : undefined;
}
