import { MAX_KEY_LENGTH, MIN_KEY_LENGTH } from '../../src/domain/idempotency.js';
import { MAX_PARAMETER } from '../../src/domain/jsonValue.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../src/domain/pageSize.js';
import type { JsonSchema } from './scalarSchema.js';

const text = (description: string, example: string, schema: JsonSchema = {}): JsonSchema => ({
  description,
  schema: { type: 'string', ...schema },
  example,
});

const REQUEST_ID = 'req_5dfc3891-814f-4c70-b6e1-89320c960db8';

/** Headers of answers, as components. */
export const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': text('The correlation id that was sent, or a fresh one.', REQUEST_ID, { maxLength: 128 }),
  'Cache-Control': text('No answer of the API may be stored.', 'no-store', { const: 'no-store' }),
  RateLimit: text("What is left of the app's limit (IETF draft ratelimit-headers).", '"read";r=5999;t=60'),
  'RateLimit-Policy': text('The limit, and its window in seconds.', '"read";q=6000;w=60'),
  'Idempotent-Replayed': text(
    'Stands where the answer is the one of an earlier request with the same key.',
    'true',
    {
      const: 'true',
    },
  ),
  Location: text(
    'Where the new resource, or the status of the work, can be read.',
    '/v1/workflows/wf_01kafem1xve7vbs97sn4r71brf',
    {
      format: 'uri-reference',
    },
  ),
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': text(
    'How to authenticate (RFC 6750): `error="invalid_token"` where a token was sent that does not count; on 403 the scope that is missing.',
    'Bearer realm="partner-consent-profile-service"',
  ),
  Allow: text('The methods that the path knows.', 'GET, HEAD'),
  Accept: text('The media types that the body may have (RFC 9110).', 'application/json'),
  'Accept-Patch': text(
    'The media types that the body may have (RFC 5789).',
    'application/json, application/merge-patch+json',
  ),
  'Accept-Encoding': text('How the body may be compressed (RFC 9110); `identity`: not at all.', 'identity'),
};

/** References to headers, for a response. */
export function headerRefs(...names: string[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Parameters of many operations, as components. */
export const parameters: Readonly<Record<string, JsonSchema>> = {
  XRequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'A correlation id of your own, echoed in the answer and in errors. One that does not match is ignored and replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    example: REQUEST_ID,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A fresh value for every operation. The same key with the same payload replays the first result for 24 hours; with another payload it is 409 `idempotency_conflict`.',
    schema: { type: 'string', minLength: MIN_KEY_LENGTH, maxLength: MAX_KEY_LENGTH, pattern: '^[ -~]+$' },
    example: '6f1d0c0e-8e0b-4f6e-9a51-2f3a9a1c7c55',
  },
  Limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Most items of the page.',
    schema: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
    },
    example: DEFAULT_PAGE_SIZE,
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    required: false,
    description:
      'Where the page begins: the `next_cursor` of the page before, of the same list with the same filters.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_PARAMETER },
  },
};

export function parameterRef(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` };
}
