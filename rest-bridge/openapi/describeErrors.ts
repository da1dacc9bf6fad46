import { DETAIL_CODES, ERRORS } from '../../src/errorCatalogue.js';
import { documentationUrl, MAX_DETAILS } from '../../src/errors.js';
import { acceptHeader } from '../../src/http/readJson.js';
import type { ErrorCode } from '../../src/errors.js';
import type { CompiledRoute } from '../compileRoute.js';
import { headerRefs } from './headers.js';
import type { JsonSchema } from './scalarSchema.js';

/** Schemas of the Error body. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The body of every error of `/v1`.',
    required: ['error'],
    properties: { error: { $ref: '#/components/schemas/ErrorObject' } },
  },
  ErrorObject: {
    type: 'object',
    description: 'What went wrong, for programs and for people.',
    required: ['code', 'message', 'request_id', 'documentation_url'],
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string', description: 'For people; its wording may change.' },
      request_id: { type: 'string', description: 'The correlation id, as in `X-Request-Id`.' },
      documentation_url: { type: 'string', format: 'uri', description: 'The page that explains the code.' },
      details: {
        type: 'array',
        description: 'Every problem that was found.',
        maxItems: MAX_DETAILS,
        items: { $ref: '#/components/schemas/ErrorDetail' },
      },
      details_omitted: {
        type: 'integer',
        minimum: 1,
        description: `How many more problems there are than the ${MAX_DETAILS} of \`details\`.`,
      },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: Object.keys(ERRORS),
    description: [
      'What went wrong.',
      '',
      ...Object.entries(ERRORS).map(([code, { when }]) => `- \`${code}\`: ${when}`),
    ].join('\n'),
  },
  ErrorDetail: {
    type: 'object',
    description: 'One problem of a request.',
    required: ['code', 'message'],
    properties: {
      code: {
        type: 'string',
        description: [
          'What is wrong. New codes may be added.',
          '',
          ...Object.entries(DETAIL_CODES).map(([code, meaning]) => `- \`${code}\`: ${meaning}`),
        ].join('\n'),
        examples: ['required'],
      },
      message: { type: 'string', description: 'For people; its wording may change.' },
      field: {
        type: 'string',
        description: 'The path of the field, parameter or header: `purposes[1]`, `profile.avatar_url`.',
      },
      documentation_url: {
        type: 'string',
        format: 'uri',
        description: 'The page that explains the code.',
      },
    },
  },
};

const ALWAYS: ErrorCode[] = [
  'invalid_request',
  'unauthenticated',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
];
const OF_BODIES: ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'validation_failed'];
const OF_MUTATIONS: ErrorCode[] = [
  'idempotency_key_required',
  'idempotency_key_invalid',
  'idempotency_conflict',
  'idempotency_in_progress',
  'conflict',
];

/** The errors of an operation, by status. */
export function errorResponses({
  isMutation,
  pathNames,
  access,
  route,
}: CompiledRoute): Record<string, JsonSchema> {
  const codes: ErrorCode[] = [
    ...ALWAYS,
    // A mutation without an input takes an empty object, and refuses other bodies.
    ...(isMutation ? [...OF_BODIES, ...OF_MUTATIONS] : []),
    ...(pathNames.length > 0 ? (['not_found'] as const) : []),
    ...(access.consent === undefined && route.operation !== 'ingestEvent' && route.operation !== 'ingestClaim'
      ? []
      : (['consent_denied'] as const)),
  ];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorResponse(
        codes.filter((code) => ERRORS[code].status === status),
        headersOf(status, access.scopes !== undefined, route.method),
      ),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[], headers: readonly string[]): JsonSchema {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    headers: headerRefs('X-Request-Id', 'Cache-Control', ...headers),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

function headersOf(status: number, isLimited: boolean, method: string): string[] {
  return [
    ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
    ...(status === 409 || status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 415 ? [acceptHeader(method), 'Accept-Encoding'] : []),
    // What has no caller counts against no limit.
    ...(status === 429 || (isLimited && status !== 401) ? ['RateLimit', 'RateLimit-Policy'] : []),
  ];
}

/** An example of every code, as components. */
export function errorExamples(baseUrl: string): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, { when }]) => {
      const error = {
        code,
        message: when,
        request_id: 'req_5dfc3891-814f-4c70-b6e1-89320c960db8',
        documentation_url: documentationUrl(baseUrl, code),
      };
      return [code, { summary: when, value: { error } }];
    }),
  );
}
