interface ErrorKind {
  status: number;
  /** When the service answers with this error. */
  when: string;
  /** What the caller should do. */
  remedy: string;
}

/**
 * Every error that a client can see (docs/contract.md#errors). Defined only here: GraphQL, REST, the OpenAPI
 * document and `docs/errors.md` read it.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    when: 'The request cannot be read: malformed JSON, an unknown, malformed or repeated query parameter, a cursor of another list, or a GraphQL document that does not parse, does not validate or exceeds a limit.',
    remedy: 'Correct what `details` or the message names. The same request is refused again.',
  },
  idempotency_key_required: {
    status: 400,
    when: 'A POST, PUT, PATCH or DELETE under `/v1` has no `Idempotency-Key`.',
    remedy:
      'Send a fresh key, for example a UUID, with every operation; send the same key again when you retry it.',
  },
  idempotency_key_invalid: {
    status: 400,
    when: 'The `Idempotency-Key` has fewer than 16 or more than 255 characters, or others than printable ASCII.',
    remedy: 'Send 16 to 255 printable ASCII characters.',
  },
  unauthenticated: {
    status: 401,
    when: 'There is no credential, or it is malformed, unknown, expired or revoked; the administrative key is wrong; the app is disabled.',
    remedy:
      'Get a fresh access token: with the refresh token, or with client credentials. If that is refused too, the app or the member was taken off.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The access token lacks a scope that the operation asks for.',
    remedy:
      'Ask for a token with the scope that `details` names. The app must be allowed it, and so must the member who signs in.',
  },
  consent_denied: {
    status: 403,
    when: 'The consent gate is shut: the customer has not granted the purpose now, or the app may not use it.',
    remedy:
      'Do not retry. Read the effective consent of the customer; begin a connection session to ask the person.',
  },
  not_found: {
    status: 404,
    when: 'The route or the id is unknown, or the id belongs to another app. The three answers are alike.',
    remedy: 'Check the path and the app whose token you use. Ids of one environment do not exist in another.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists and does not know the method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  idempotency_conflict: {
    status: 409,
    when: 'The `Idempotency-Key` was used with another payload in the last 24 hours.',
    remedy: 'Use a fresh key for a new operation. For a retry, send exactly what you sent first.',
  },
  idempotency_in_progress: {
    status: 409,
    when: 'The first request with this `Idempotency-Key` is still running after five seconds.',
    remedy: 'Wait as long as `Retry-After` says, then send the same request with the same key.',
  },
  conflict: {
    status: 409,
    when: 'The state of a resource forbids the operation, such as a receipt for a session that is not authorized.',
    remedy: 'Read the resource again and decide anew; `details` says what stands in the way.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than 1 MiB (4 MiB on batches; 100 KB for a GraphQL document).',
    remedy: 'Send smaller batches. The connection is closed: open a new one.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `application/json`, or it is compressed. `/graphql` takes `gzip`, `deflate` and `br`.',
    remedy:
      'Send `Content-Type: application/json` and no other `Content-Encoding` than these, to `/v1` none.',
  },
  validation_failed: {
    status: 422,
    when: 'The body is JSON, and not valid.',
    remedy: 'Correct every field that `details` names; all problems are told at once, up to 50 of them.',
  },
  rate_limited: {
    status: 429,
    when: 'The app has used up its limit for this class of operation, or has too many requests or writes at work at once.',
    remedy: 'Wait as long as `Retry-After` says. The `RateLimit` headers of every answer tell what is left.',
  },
  internal_error: {
    status: 500,
    when: 'Something went wrong on our side.',
    remedy: 'Retry with the same `Idempotency-Key`. If it persists, report the `request_id`.',
  },
  unavailable: {
    status: 503,
    when: 'The service cannot answer right now, for example because its database cannot be reached.',
    remedy: 'Retry after `Retry-After` seconds, with growing pauses and the same `Idempotency-Key`.',
  },
} as const satisfies Record<string, ErrorKind>;

/** The values of `details[].code`, each for one problem. */
export const DETAIL_CODES = {
  app_being_deleted: 'The app is being deleted and cannot become active again.',
  app_changed: 'An ontology cannot move to another app.',
  conflicting_fields: 'Two fields that must say the same say different things.',
  credentials_in_url: 'A webhook URL must not carry a user name or a password.',
  customer_mismatch: 'The connection session belongs to another customer.',
  duplicate: 'A name stands in the list twice.',
  endpoint_disabled: 'The webhook endpoint is disabled: nothing is sent to it until it is active again.',
  event_key_used: 'The `event_key` was used with another payload.',
  field_removed: 'A new version of an ontology must keep every field.',
  forbidden_address: 'A webhook URL leads to a private, loopback or link-local address.',
  forbidden_data:
    'The value looks like a payment card, a government id or a credential. Such data must not be sent.',
  fragment_in_url: 'A webhook URL must not have a fragment.',
  https_required: 'A webhook URL must begin with `https:`.',
  identity_changed:
    'An identity field has another value than the entry, or an ontology other identity fields.',
  invalid_cursor: 'The cursor was not given out by this list with this filter.',
  invalid_filter: 'The filter names no field of the ontology, or its value does not fit the field.',
  invalid_format: 'The text does not match the pattern.',
  invalid_image: 'The logo is no whole PNG, JPEG or WebP picture.',
  invalid_parameter:
    'The query parameter, or argument in GraphQL, is unknown, repeated, malformed or too long.',
  invalid_type: 'The value is of another JSON type.',
  invalid_uri: 'The text is no absolute URI of the form that the field asks for.',
  invalid_url: 'The text is no URL.',
  invalid_value: 'The value is none of those allowed.',
  missing_scope: 'The access token, or the app itself, lacks the scope that the message names.',
  not_granted: 'The value is beyond what the operator granted to the app.',
  ontology_changed: 'An entry cannot move to another ontology.',
  out_of_range: 'The number is below the least or above the greatest value allowed.',
  public_client: 'The app is a public client, which has no secret.',
  purpose_not_allowed: 'The app may not use the purpose.',
  purpose_not_approved: 'The person has not approved the purpose in this session, or has taken it back.',
  purpose_not_on_receipt: 'The receipt does not name the purpose.',
  redirect_uri_not_allowed: "The URI is none of the app's `redirect_uris`.",
  repeated_header: 'The header stands in the request more than once.',
  required: 'The field is missing.',
  requirement_tightened: 'A new version of an ontology cannot require a field that was optional.',
  session_not_authorized: 'The connection session is not `authorized`: a receipt cannot name it.',
  too_few_items: 'The list is shorter than allowed.',
  too_large: 'The logo is wider or higher than allowed.',
  too_long: 'The text, or the JSON of the value, is longer than allowed.',
  too_many_endpoints: 'The app has as many webhook endpoints as it may have.',
  too_many_items: 'The list is longer than allowed.',
  too_many_secrets: 'As many former secrets of the app are valid as there may be.',
  too_short: 'The text is shorter than allowed.',
  type_changed: 'A field of an ontology cannot change its type.',
  unknown_event_type: 'There is no such webhook event type.',
  unknown_field:
    'The field is not known. It is refused, so that a misspelled field is never dropped in silence.',
  unknown_reference: 'The resource that the field names does not exist, or belongs to another app.',
  unsupported_order: 'No index has the order together with the filters that were given.',
  version_unchanged: 'The fields of an ontology change only with its version.',
} as const;

/**
 * Codes in the `error` of an event, a workflow, a webhook delivery or one of its attempts, and in the request
 * log.
 */
export const OUTCOME_CODES = {
  app_disabled: 'The app was disabled before the webhook was delivered.',
  client_closed:
    'The client closed the connection before the answer, status 499 in the request log, and does not know the outcome: what it asked for may be done. To be sure, send a change again with the same `Idempotency-Key`: it is done once, and the answer is the same. Where the service knows an error, its code stands here instead, with status 499.',
  connection_failed: 'The receiver of a webhook could not be connected to.',
  consent_withdrawn:
    'Consent was withdrawn before the webhook was delivered: nothing is said of the customer any more.',
  customer_erased: 'The customer was erased meanwhile.',
  delivery_failed: 'Every attempt to deliver a webhook failed.',
  delivery_removed: 'The endpoint or the customer of a webhook was deleted before it was delivered.',
  endpoint_disabled: 'The endpoint was disabled before the webhook was delivered.',
  forbidden_address: 'The name of a webhook receiver leads to an address that is not public.',
  host_not_found: 'The name of a webhook receiver does not resolve.',
  invalid_answer: 'The receiver of a webhook answered with something that is not HTTP.',
  processing_failed: 'Processing failed six times and was given up. The operator can retry a workflow.',
  timeout: 'The receiver of a webhook did not answer within 15 seconds.',
  tls_failed: 'The receiver of a webhook has no valid certificate.',
} as const;

/** Codes of GraphQL only, shown there in upper case. */
export const GRAPHQL_CODES = {
  persisted_query_not_found:
    'The hash of a persisted query is not known here (any more): send the query once more with its text.',
} as const;
