import { isNonNullType } from 'graphql';
import { constraintsOf } from '../../src/access/constrained.js';
import { MAX_PARAMETER } from '../../src/domain/jsonValue.js';
import { camelCase } from '../../src/domain/snakeCase.js';
import type { CompiledRoute } from '../compileRoute.js';
import type { Components } from './Components.js';
import { errorResponses } from './describeErrors.js';
import { examplesOf } from './examples.js';
import { headerRefs, parameterRef } from './headers.js';
import { inputSchema } from './inputSchema.js';
import { outputSchema } from './outputSchema.js';
import { restWords } from './restWords.js';
import type { JsonSchema } from './scalarSchema.js';
import { tagOf } from './tags.js';

/** Describes an operation of `/v1` from its route and the schema. */
export function describeOperation(compiled: CompiledRoute, components: Components): JsonSchema {
  const { route, access, field } = compiled;
  const scopes = (access.scopes ?? []).map((combination) => ({ accessToken: combination }));
  const body = bodyOf(compiled, components);
  return {
    operationId: route.operation,
    tags: [tagOf(route.path)],
    summary: route.summary,
    description: restWords(field.description ?? route.summary),
    security: [...scopes, ...(access.admin ? [{ adminKey: [] }] : [])],
    parameters: parametersOf(compiled, components),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successResponses(compiled, components), ...errorResponses(compiled) },
  };
}

function bodyOf({ route, inputType }: CompiledRoute, components: Components): JsonSchema | undefined {
  if (inputType === undefined) return undefined;
  const schema = inputSchema(inputType, components);
  const { request } = examplesOf(route.operation);
  const content = { schema, ...(request === undefined ? {} : { example: request }) };
  const types = ['application/json', ...(route.accepts ?? [])];
  return {
    required: route.optionalBody !== true,
    description: `At most ${route.bodyLimit === undefined ? '1 MiB' : '4 MiB'} of JSON.`,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}

const SHARED: Readonly<Record<string, string>> = { limit: 'Limit', cursor: 'Cursor' };

function parametersOf(compiled: CompiledRoute, components: Components): JsonSchema[] {
  const { pathNames, queryTypes, isMutation, field } = compiled;
  const inPath = pathNames.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathDescription(name),
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: EXAMPLE_IDS[name] ?? 'book',
  }));
  const inQuery = [...queryTypes].map(([name, type]) => {
    const shared = SHARED[name];
    if (shared !== undefined) return parameterRef(shared);
    const argument = field.args.find((one) => one.name === camelCase(name));
    const schema = inputSchema(type, components, argument && constraintsOf(argument));
    return {
      name,
      in: 'query',
      required: isNonNullType(type),
      description: restWords(argument?.description ?? ''),
      ...(name === 'fields' ? { style: 'deepObject', explode: true } : {}),
      schema:
        schema['type'] === 'string' && schema['format'] === undefined
          ? { ...schema, minLength: 1, maxLength: MAX_PARAMETER }
          : schema,
    };
  });
  const inHeader = [...(isMutation ? [parameterRef('IdempotencyKey')] : []), parameterRef('XRequestId')];
  return [...inPath, ...inQuery, ...inHeader];
}

const ID = '01kafem1xve7vbs97sn4r71brf';
const EXAMPLE_IDS: Readonly<Record<string, string>> = {
  app_id: `app_${ID}`,
  customer_id: `cus_${ID}`,
  session_id: `cs_${ID}`,
  receipt_id: `rcp_${ID}`,
  entry_id: `ent_${ID}`,
  event_id: `evt_${ID}`,
  workflow_id: `wf_${ID}`,
  endpoint_id: `whe_${ID}`,
  delivery_id: `whd_${ID}`,
};

function pathDescription(name: string): string {
  return `The id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`;
}

function successResponses(compiled: CompiledRoute, components: Components): Record<string, JsonSchema> {
  const { route, field, selection } = compiled;
  const { operation, success = 200 } = route;
  if (success === 204)
    return { '204': { description: 'Done; there is nothing to return.', headers: headersOf(compiled, 204) } };
  const schema = outputSchema(field.type, selection, components);
  const { response } = examplesOf(operation);
  const content = {
    'application/json': { schema, ...(response === undefined ? {} : { example: response }) },
  };
  const one = (status: number, description: string): JsonSchema => ({
    description,
    headers: headersOf(compiled, status),
    content,
  });
  if (success === 'upsert')
    return {
      '200': one(200, 'It was there, and was updated or left unchanged.'),
      '201': one(201, 'It was created.'),
    };
  return { [String(success)]: one(success, MEANINGS[success] ?? '') };
}

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'It was created.',
  202: 'The work was accepted. It is durable, and carried out soon after.',
};

function headersOf({ route, isMutation, access }: CompiledRoute, status: number): Record<string, JsonSchema> {
  return headerRefs(
    'X-Request-Id',
    'Cache-Control',
    ...(access.scopes === undefined ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(isMutation ? ['Idempotent-Replayed'] : []),
    ...(route.location !== undefined && (status === 201 || status === 202) ? ['Location'] : []),
  );
}
