import { isNonNullType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { ERRORS } from '../../src/errorCatalogue.js';
import type { ErrorCode } from '../../src/errors.js';
import { compileRoute } from '../compileRoute.js';
import type { CompiledRoute } from '../compileRoute.js';
import type { Route } from '../Route.js';
import { describeWebhooks } from './describeWebhooks.js';
import { inputSchema } from './inputSchema.js';
import type { JsonSchema } from './scalarSchema.js';

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        request_id: { type: 'string' },
        documentation_url: { type: 'string', format: 'uri' },
        details_omitted: { type: 'integer', minimum: 1 },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['code', 'message'],
            properties: { code: { type: 'string' }, message: { type: 'string' }, field: { type: 'string' } },
          },
        },
      },
    },
  },
};

/** The OpenAPI 3.1 document of `/v1`, derived from the routes and the schema behind them. */
export function buildOpenApi(schema: GraphQLSchema, routes: readonly Route[], baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(compileRoute(schema, route));
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Partner Consent and Profile Service', version: '0.1.0' },
    servers: [{ url: baseUrl }],
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        accessToken: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/oauth/authorize`,
              tokenUrl: `${baseUrl}/oauth/token`,
              scopes: {},
            },
            clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: {} },
          },
        },
        adminKey: { type: 'apiKey', in: 'header', name: 'x-service-admin-key' },
      },
    },
  };
}

function operationOf(compiled: CompiledRoute): JsonSchema {
  const { route, access, inputType } = compiled;
  const scopes = (access.scopes ?? []).map((combination) => ({ accessToken: combination }));
  const contentTypes = ['application/json', ...(route.accepts ?? [])];
  const body = inputType && {
    required: route.optionalBody !== true,
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: inputSchema(inputType) }])),
  };
  return {
    operationId: route.operation,
    summary: route.summary,
    security: [...scopes, ...(access.admin ? [{ adminKey: [] }] : [])],
    parameters: parametersOf(compiled),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successResponses(compiled), ...errorResponses(compiled) },
  };
}

function parametersOf({ pathNames, queryTypes, isMutation }: CompiledRoute): JsonSchema[] {
  const inPath = pathNames.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const inQuery = [...queryTypes].map(([name, type]) => ({
    name,
    in: 'query',
    required: isNonNullType(type),
    ...(name === 'fields' ? { style: 'deepObject', explode: true } : {}),
    schema: name === 'limit' ? { type: 'integer', minimum: 1, maximum: 100, default: 25 } : inputSchema(type),
  }));
  const requestId = { name: 'X-Request-Id', in: 'header', required: false, schema: { type: 'string', maxLength: 128 } };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    schema: { type: 'string', minLength: 16, maxLength: 255 },
  };
  return [...inPath, ...inQuery, ...(isMutation ? [key] : []), requestId];
}

function successResponses({ route, output }: CompiledRoute): JsonSchema {
  if (route.success === 204) return { '204': { description: 'Done; nothing to return' } };
  const content = { 'application/json': { schema: output } };
  const one = (description: string): JsonSchema => ({ description, content });
  if (route.success === 'upsert') return { '200': one('Updated or unchanged'), '201': one('Created') };
  return { [String(route.success)]: one(route.success === 202 ? 'Accepted' : 'Success') };
}

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

function errorResponses({ isMutation, inputType, pathNames, access }: CompiledRoute): JsonSchema {
  const codes = [
    ...ALWAYS,
    ...(inputType === undefined ? [] : OF_BODIES),
    ...(isMutation ? OF_MUTATIONS : []),
    ...(pathNames.length > 0 ? (['not_found'] as const) : []),
    ...(access.consent === undefined ? [] : (['consent_denied'] as const)),
  ];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: codes.filter((code) => ERRORS[code].status === status).join(', '), content },
    ]),
  );
}
