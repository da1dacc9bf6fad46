import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { describeError, isOurFault } from '../access/describeError.js';
import type { RequestContext } from '../access/RequestContext.js';
import { documentationUrl } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { formatError } from './formatError.js';

/** What every error says of the request that it answers. */
export interface AnsweredRequest {
  requestId: string;
  baseUrl: string;
}

/** Errors of an execution as clients see them, each naming the request. */
export function shownErrors(
  errors: readonly GraphQLError[],
  request: AnsweredRequest,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const { extensions, ...formatted } = error.toJSON();
    const coded = { ...formatted, extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } };
    return ofRequest(formatError(coded, error), request);
  });
}

/** The error with its request and the page of its code, which REST calls `documentation_url`. */
export function ofRequest(
  error: GraphQLFormattedError,
  { requestId, baseUrl }: AnsweredRequest,
): GraphQLFormattedError {
  const pageOf = (code: string): { documentationUrl: string; documentation_url: string } => {
    const url = documentationUrl(baseUrl, code);
    return { documentationUrl: url, documentation_url: url };
  };
  const { details, ...extensions } = (error.extensions ?? {}) as {
    code?: string;
    details?: readonly ErrorDetail[];
  };
  const explained = details?.map((detail) => ({ ...detail, ...pageOf(detail.code) }));
  return {
    ...error,
    extensions: {
      ...extensions,
      ...(explained === undefined ? {} : { details: explained }),
      requestId,
      ...pageOf(String(extensions.code).toLowerCase()),
    },
  };
}

/** The request that a context is of. */
export function requestOf({ requestId, services }: RequestContext): AnsweredRequest {
  return { requestId, baseUrl: services.config.baseUrl };
}

/** Logs what went wrong on our side, with the request id and never with what the client sent. */
export function logFaults(errors: readonly unknown[], { services, requestId }: RequestContext): void {
  for (const error of errors) {
    const cause = unwrapResolverError(error);
    if (cause instanceof GraphQLError || !isOurFault(describeError(cause))) continue;
    services.log.error({ err: cause, request_id: requestId }, 'operation failed');
  }
}

/** Whether an answer is nothing but a refused credential: that is a 401. */
export function isRefusedCredential(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly GraphQLFormattedError[],
): boolean {
  // Compiled code leaves undefined where a field was skipped.
  const empty = Object.values(data ?? {}).every((value) => value === null || value === undefined);
  return empty && errors.every(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
}

/** Names the way in on such a 401 (RFC 6750, 3). */
export const CREDENTIAL_CHALLENGE = 'Bearer realm="partner-consent-profile-service"';
