import type { ApolloServerPlugin } from '@apollo/server';
import { BEARER_CHALLENGE } from '../http/errorResponse.js';
import type { RequestContext } from '../access/RequestContext.js';
import { GRAPHQL_TYPE } from './mediaType.js';
import { isRefusedCredential, logFaults, ofRequest, requestOf } from './shownErrors.js';

type Plugin = ApolloServerPlugin<RequestContext>;

/** Logs internal errors with the request id, and never with data of the client. */
export const logPlugin: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      async didEncounterErrors({ errors, contextValue }) {
        logFaults(errors, contextValue);
      },
    }),
};

/**
 * Sets statuses and headers of an answer. An operation that cannot run is 200 for clients that accept only
 * `application/json`, 400 for those of `application/graphql-response+json` (GraphQL over HTTP, 6.4). An
 * answer that consists only of a refused credential is 401.
 */
export const responsePlugin: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      async willSendResponse({ request, response, contextValue }) {
        const { http, body } = response;
        http.headers.set('cache-control', 'no-store');
        if (contextValue.outcome.replayed) http.headers.set('idempotent-replayed', 'true');
        if (body.kind !== 'single' || body.singleResult.errors === undefined) return;
        const errors = body.singleResult.errors.map((error) => ofRequest(error, requestOf(contextValue)));
        body.singleResult.errors = errors;
        contextValue.outcome.errors = errors;
        if (body.singleResult.data === undefined && (http.status ?? 400) === 400)
          http.status = request.http?.headers.get('accept') === GRAPHQL_TYPE ? 400 : 200;
        if (!isRefusedCredential(body.singleResult.data, errors)) return;
        http.status = 401;
        http.headers.set('www-authenticate', BEARER_CHALLENGE);
      },
    }),
};
