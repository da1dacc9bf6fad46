import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { describeError, isOurFault } from '../access/describeError.js';
import type { RequestContext } from '../access/RequestContext.js';
import { documentationUrl } from '../errors.js';
import type { ErrorDetail } from '../errors.js';
import { formatError } from './formatError.js';

/** The facts about the request in each of its errors. */
export interface AnsweredRequest {
  requestId: string;
  baseUrl: string;
}

/** Errors of an execution as shown to clients, each with its request. */
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

/** Adds the request and the page of the code, which REST calls `documentation_url`. */
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

export function requestOf({ requestId, services }: RequestContext): AnsweredRequest {
  return { requestId, baseUrl: services.config.baseUrl };
}

/** Logs internal errors with the request id, and never with data of the client. */
export function logFaults(errors: readonly unknown[], { services, requestId }: RequestContext): void {
  for (const error of errors) {
    const cause = unwrapResolverError(error);
    if (cause instanceof GraphQLError || !isOurFault(describeError(cause))) continue;
    services.log.error({ err: cause, request_id: requestId }, 'operation failed');
  }
}

/** Whether an answer consists only of a refused credential, which is a 401. */
export function isRefusedCredential(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly GraphQLFormattedError[],
): boolean {
  // Compiled code leaves skipped fields undefined.
  const empty = Object.values(data ?? {}).every((value) => value === null || value === undefined);
  return empty && errors.every(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
}
