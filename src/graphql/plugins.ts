import type { ApolloServerPlugin } from '@apollo/server';
import { rateLimitHeaders } from '../access/RateLimiter.js';
import type { RequestContext } from '../access/RequestContext.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { checkOperation } from './checkOperation.js';
import { keyOfRequest } from './keyOfRequest.js';
import { takesGraphqlResponse } from './mediaTypes.js';
import { CREDENTIAL_CHALLENGE, isRefusedCredential, logFaults, withRequestId } from './shownErrors.js';

type Plugin = ApolloServerPlugin<RequestContext>;

/**
 * Refuses operations that may not run and remembers those that may, for `answerKnown` and `compiledGateway`. One plugin:
 * Apollo Server asks all plugins at once, so that one of its own would remember what another refuses.
 */
export function operationPlugin(operations: KnownOperations): Plugin {
  return {
    requestDidStart: () =>
      Promise.resolve({
        async didResolveOperation(resolved) {
          checkOperation(operations, resolved);
          const { document, request, source, queryHash } = resolved;
          operations.remember(keyOfRequest(request, source, queryHash), document, request.operationName ?? undefined);
        },
      }),
  };
}

/** Logs what went wrong on our side, with the request id and never with what the client sent. */
export const logPlugin: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      async didEncounterErrors({ errors, contextValue }) {
        logFaults(errors, contextValue);
      },
    }),
};

/** What the language refuses of a well-formed request. */
const OF_THE_REQUEST = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT']);

/**
 * Statuses and headers of an answer. A request error is 200 for clients that accept only `application/json`, 400 for those
 * of `application/graphql-response+json` (GraphQL over HTTP, 6.4); an answer that is nothing but a refused credential is 401.
 */
export const responsePlugin: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      async willSendResponse({ request, response, contextValue }) {
        const { http, body } = response;
        http.headers.set('cache-control', 'no-store');
        for (const [name, value] of Object.entries(
          contextValue.outcome.rate ? rateLimitHeaders(contextValue.outcome.rate) : {},
        ))
          http.headers.set(name.toLowerCase(), value);
        if (contextValue.outcome.replayed) http.headers.set('idempotent-replayed', 'true');
        if (body.kind !== 'single' || body.singleResult.errors === undefined) return;
        const errors = body.singleResult.errors.map((error) => withRequestId(error, contextValue.requestId));
        body.singleResult.errors = errors;
        const reasons = errors.map(({ extensions }) => String(extensions?.['reason']));
        const plainJson = !takesGraphqlResponse(request.http?.headers.get('accept'));
        if (http.status === 400 && plainJson && reasons.every((reason) => OF_THE_REQUEST.has(reason)))
          http.status = 200;
        // Apollo answers an unknown hash with 200 whatever the client takes.
        if (!plainJson && (http.status ?? 200) === 200 && body.singleResult.data === undefined) http.status = 400;
        if (!isRefusedCredential(body.singleResult.data, errors)) return;
        http.status = 401;
        http.headers.set('www-authenticate', CREDENTIAL_CHALLENGE);
      },
    }),
};
