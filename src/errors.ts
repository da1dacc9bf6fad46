import { ERRORS } from './errorCatalogue.js';

export type ErrorCode = keyof typeof ERRORS;

/** Maximum `details` of one error (docs/contract.md#errors). */
export const MAX_DETAILS = 50;

/** One problem of a request. `field` is a path such as `purposes[1]` or `profile.avatar_url`. */
export interface ErrorDetail {
  /** One of `DETAIL_CODES`. */
  code: string;
  message: string;
  field?: string;
}

/** Facts about an error, for headers or GraphQL extensions. */
export interface ErrorFacts {
  /** At most `MAX_DETAILS` when they are part of an error. */
  details?: readonly ErrorDetail[];
  /** The number of omitted details. */
  detailsOmitted?: number;
  /** Seconds until a retry can succeed (`Retry-After`). */
  retryAfterSeconds?: number;
  /** The `RateLimit` headers of the limit that was reached. */
  rateLimit?: Readonly<Record<string, string>>;
  /** An invalid access token was sent: `invalid_token` of RFC 6750. */
  invalidToken?: boolean;
  /** Scopes that would allow the request. */
  missingScopes?: readonly string[];
  /** The purpose whose gate denied, in REST spelling. */
  purpose?: string;
  /** The gate that denied a read. */
  gate?: 'scope' | 'purpose' | 'receipt' | 'epoch';
  /** Headers that tell what a body may be instead (RFC 9110, 15.5.16; RFC 5789, 2.2). */
  accepts?: Readonly<Record<string, string>>;
  /** Methods allowed on the route (`Allow`). */
  allow?: readonly string[];
}

/** The only error class whose message may be shown to clients. Any other error becomes `internal_error`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly facts: ErrorFacts;

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message);
    this.facts = withBoundedDetails(facts);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The same 404 for ids that are unknown, of another app or erased. */
export function notFound(noun: string): ServiceError {
  return new ServiceError('not_found', `There is no such ${noun}.`);
}

/** The 409 for a state that forbids the operation, which `details` names. */
export function conflict(message: string, ...details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError('conflict', message, { details });
}

/** The error for a header that is given twice where Node would silently take one. */
export function repeatedHeader(field: string): ServiceError {
  return new ServiceError('invalid_request', `The ${field} header must be given once.`, {
    details: [{ code: 'repeated_header', message: 'must be given once', field }],
  });
}

/** The error for a caller without a valid credential. */
export function unauthenticated({ reason, invalidToken }: RefusedCredential): ServiceError {
  return new ServiceError('unauthenticated', reason, invalidToken ? { invalidToken } : {});
}

interface RefusedCredential {
  reason: string;
  invalidToken?: boolean;
}

function withBoundedDetails(facts: ErrorFacts): ErrorFacts {
  return facts.details === undefined ? facts : { ...facts, ...boundedDetails(facts.details) };
}

/** The first details, and the number of omitted ones. */
function boundedDetails(details: readonly ErrorDetail[]): Pick<ErrorFacts, 'details' | 'detailsOmitted'> {
  const omitted = details.length - MAX_DETAILS;
  return omitted > 0 ? { details: details.slice(0, MAX_DETAILS), detailsOmitted: omitted } : { details };
}

/** The address of the page that explains a code. */
export function documentationUrl(baseUrl: string, code: string): string {
  return `${baseUrl}/docs/errors#${code}`;
}

/** The 422 with all problems found. */
export function validationFailed(details: readonly ErrorDetail[]): ServiceError {
  const fields = details.map(({ field, message }) => field ?? `the body ${message}`).slice(0, 5);
  return new ServiceError('validation_failed', `The request is not valid: ${fields.join(', ')}.`, {
    details,
  });
}
