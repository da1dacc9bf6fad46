import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { describeError } from '../access/describeError.js';
import { camelCase } from '../domain/snakeCase.js';
import type { ErrorDetail } from '../errors.js';
import { ServiceError, validationFailed } from '../errors.js';
import { languageError } from './languageError.js';

/** Clients react to this code by sending the text. */
const KEPT = 'PERSISTED_QUERY_NOT_FOUND';

/**
 * Formats an error for GraphQL, with a code of this service; `reason` is the usual code of GraphQL servers.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = unwrapResolverError(error);
  if (cause instanceof GraphQLError) return ofTheLanguage(formatted, cause);
  const described = inItsOwnNames(describeError(cause));
  return { ...formatted, message: described.message, extensions: extensionsOf(described) };
}

/** Uses the field names of GraphQL, also in the message. */
function inItsOwnNames(described: ServiceError): ServiceError {
  const { code, message, facts } = described;
  if (facts.details === undefined) return described;
  const details = facts.details.map(inCamelCase);
  const said = code === 'validation_failed' ? validationFailed(details).message : message;
  return new ServiceError(code, said, { ...facts, details });
}

function ofTheLanguage(formatted: GraphQLFormattedError, cause: GraphQLError): GraphQLFormattedError {
  const standard = String(formatted.extensions?.['code'] ?? 'GRAPHQL_VALIDATION_FAILED');
  if (standard === KEPT) return { ...formatted, extensions: { code: standard, status: 400 } };
  const { code, status, message, details, reason } = languageError(cause, standard);
  const { detailsOmitted } = cause.extensions;
  if (detailsOmitted !== undefined) {
    const omitted = { detailsOmitted, details_omitted: detailsOmitted };
    return { ...formatted, extensions: { code: code.toUpperCase(), status, ...omitted, reason } };
  }
  const extensions = {
    code: code.toUpperCase(),
    status,
    ...(details === undefined ? {} : { details }),
    reason,
  };
  return { ...formatted, message, extensions };
}

function extensionsOf({ code, status, facts }: ServiceError): Record<string, unknown> {
  return {
    code: code.toUpperCase(),
    status,
    ...(facts.details === undefined ? {} : { details: facts.details }),
    ...(facts.detailsOmitted === undefined
      ? {}
      : { detailsOmitted: facts.detailsOmitted, details_omitted: facts.detailsOmitted }),
    ...(facts.purpose === undefined ? {} : { purpose: facts.purpose.toUpperCase() }),
    ...(facts.gate === undefined ? {} : { gate: facts.gate.toUpperCase() }),
    ...(facts.missingScopes === undefined ? {} : { missingScopes: facts.missingScopes }),
    ...(facts.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: facts.retryAfterSeconds }),
  };
}

/** Arguments with a different name in REST. */
const ARGUMENTS: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after', ontology_id: 'id' };

/**
 * Converts field names, which commands and loaders give in REST spelling. Only the first part of a path is
 * certain to be a field of the schema.
 */
function inCamelCase(detail: ErrorDetail): ErrorDetail {
  if (detail.field === undefined) return detail;
  const field = detail.field.replace(/^[a-z_]+/, (name) => ARGUMENTS[name] ?? camelCase(name));
  return { ...detail, field };
}
