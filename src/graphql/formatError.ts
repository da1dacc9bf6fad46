import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { describeError } from '../access/describeError.js';
import type { ErrorDetail, ServiceError } from '../errors.js';

/** An error as GraphQL shows it. Errors of the language itself (syntax, validation, variables) keep their standard codes. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = unwrapResolverError(error);
  if (cause instanceof GraphQLError) return withStatus(formatted);
  const described = describeError(cause);
  return { ...formatted, message: described.message, extensions: extensionsOf(described) };
}

function withStatus(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { code = 'INVALID_REQUEST', ...rest } = formatted.extensions ?? {};
  const { stacktrace: _stack, http: _http, ...shown } = rest;
  return { ...formatted, extensions: { code, status: code === 'INTERNAL_SERVER_ERROR' ? 500 : 400, ...shown } };
}

function extensionsOf({ code, status, facts }: ServiceError): Record<string, unknown> {
  return {
    code: code.toUpperCase(),
    status,
    ...(facts.details === undefined ? {} : { details: facts.details.map(inCamelCase) }),
    ...(facts.purpose === undefined ? {} : { purpose: facts.purpose.toUpperCase() }),
    ...(facts.gate === undefined ? {} : { gate: facts.gate.toUpperCase() }),
    ...(facts.missingScopes === undefined ? {} : { missingScopes: facts.missingScopes }),
    ...(facts.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: facts.retryAfterSeconds }),
  };
}

/** Commands name fields as REST does. Only the first part of a path is a field of the schema for sure. */
function inCamelCase(detail: ErrorDetail): ErrorDetail {
  if (detail.field === undefined) return detail;
  const field = detail.field.replace(/^[a-z_]+/, (name) =>
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  );
  return { ...detail, field };
}
