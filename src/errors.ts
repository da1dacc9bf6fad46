import { ERRORS } from './errorCatalogue.js';

export type ErrorCode = keyof typeof ERRORS;

/** Most `details` of one error (docs/contract.md#errors). */
export const MAX_DETAILS = 50;

/** One problem of a request. `field` is a path such as `purposes[1]` or `profile.avatar_url`. */
export interface ErrorDetail {
  /** One of `DETAIL_CODES`. */
  code: string;
  message: string;
  field?: string;
}

/** Facts about a refusal that a door may need for headers or GraphQL extensions. */
export interface ErrorFacts {
  /** At most `MAX_DETAILS` once they are an error's. */
  details?: readonly ErrorDetail[];
  /** How many more details there were. */
  detailsOmitted?: number;
  /** Seconds after which a retry makes sense (`Retry-After`). */
  retryAfterSeconds?: number;
  /** The `RateLimit` headers of the limit that was reached. */
  rateLimit?: Readonly<Record<string, string>>;
  /** An access token was sent that does not count: `invalid_token` of RFC 6750. */
  invalidToken?: boolean;
  /** Scopes that would have sufficed. */
  missingScopes?: readonly string[];
  /** The purpose whose gate denied, in its REST spelling. */
  purpose?: string;
  /** The gate that denied a read. */
  gate?: 'scope' | 'purpose' | 'receipt' | 'epoch';
  /** Methods allowed on the route (`Allow`). */
  allow?: readonly string[];
}

/** The one error class whose message may be shown to a client. Anything else is an `internal_error`. */
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

/** The 404 in which unknown, foreign and erased cannot be told apart. */
export function notFound(noun: string): ServiceError {
  return new ServiceError('not_found', `There is no such ${noun}.`);
}

/** The refusal of a caller without a credential that counts. */
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

/** The first details, and how many are left out where there are more. */
export function boundedDetails(
  details: readonly ErrorDetail[],
): Pick<ErrorFacts, 'details' | 'detailsOmitted'> {
  const omitted = details.length - MAX_DETAILS;
  return omitted > 0 ? { details: details.slice(0, MAX_DETAILS), detailsOmitted: omitted } : { details };
}

/** The page that explains a code. */
export function documentationUrl(baseUrl: string, code: string): string {
  return `${baseUrl}/docs/errors#${code}`;
}

/** The 422 with every problem found, never only the first. */
export function validationFailed(details: readonly ErrorDetail[]): ServiceError {
  const fields = details.map(({ field, message }) => field ?? `the body ${message}`).slice(0, 5);
  return new ServiceError('validation_failed', `The request is not valid: ${fields.join(', ')}.`, {
    details,
  });
}
