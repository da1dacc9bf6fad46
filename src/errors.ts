/**
 * Every error a client can see: its code and its HTTP status (decisions 4). The only table of its kind: the REST
 * bridge, the GraphQL formatter and the OpenAPI document all read it.
 */
export const STATUS_OF = {
  invalid_request: 400,
  idempotency_key_required: 400,
  idempotency_key_invalid: 400,
  unauthenticated: 401,
  insufficient_scope: 403,
  consent_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** One problem of a request. `field` is a path such as `purposes[1]` or `profile.avatar_url`. */
export interface ErrorDetail {
  code: string;
  message: string;
  field?: string;
}

/** Facts about a refusal that a door may need for headers or GraphQL extensions. */
export interface ErrorFacts {
  details?: readonly ErrorDetail[];
  /** Seconds after which a retry makes sense (`Retry-After`). */
  retryAfterSeconds?: number;
  /** The `RateLimit` headers of the limit that was reached. */
  rateLimit?: Readonly<Record<string, string>>;
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
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.code = code;
    this.facts = facts;
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

/** The 422 with every problem found, never only the first. */
export function validationFailed(details: readonly ErrorDetail[]): ServiceError {
  const fields = details.map((detail) => detail.field ?? detail.code).slice(0, 5);
  return new ServiceError('validation_failed', `The request is not valid: ${fields.join(', ')}.`, { details });
}
