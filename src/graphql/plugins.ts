import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { BEARER_CHALLENGE } from '../http/errorResponse.js';
import type { RequestContext } from '../access/RequestContext.js';
import { MAX_DETAILS } from '../errors.js';
import { formatError } from './formatError.js';
import { GRAPHQL_TYPE } from './mediaType.js';
import { isRefusedCredential, logFaults, ofRequest, requestOf } from './shownErrors.js';
import { variableErrors } from './variableErrors.js';

/** The formatted errors of variables, with the number of omitted ones. */
function shownVariableErrors(...args: Parameters<typeof variableErrors>): GraphQLFormattedError[] {
  return (variableErrors(...args) ?? []).map((error) => formatError(error.toJSON(), error));
}

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
 * Sets statuses and headers of an answer. Invalid variables are 200 for clients that accept only
 * `application/json`, 400 for those of `application/graphql-response+json` (GraphQL over HTTP, 6.4). An
 * answer that consists only of a refused credential is 401.
 */
export const responsePlugin: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      async willSendResponse({ request, response, contextValue, operation, schema }) {
        const { http, body } = response;
        http.headers.set('cache-control', 'no-store');
        if (contextValue.outcome.replayed) http.headers.set('idempotent-replayed', 'true');
        if (body.kind !== 'single' || body.singleResult.errors === undefined) return;
        const { data, errors: found } = body.singleResult;
        // For more problems with variables, graphql-js gives no number.
        const told =
          data === undefined && found.length > MAX_DETAILS
            ? shownVariableErrors(schema, operation?.variableDefinitions ?? [], request.variables ?? {})
            : found;
        const errors = told.map((error) => ofRequest(error, requestOf(contextValue)));
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
