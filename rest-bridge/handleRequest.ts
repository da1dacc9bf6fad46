import type { ExecutionResult } from 'graphql';
import { describeError } from '../src/access/describeError.js';
import { authorize } from '../src/access/FieldAccess.js';
import { rateLimitHeaders } from '../src/access/RateLimiter.js';
import { readBodyShape } from '../src/access/inputShape.js';
import type { InputShape, RejectedItem } from '../src/access/inputShape.js';
import { refuseShape } from '../src/access/refuseShape.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { readIdempotencyKey } from '../src/domain/idempotency.js';
import { ServiceError } from '../src/errors.js';
import { checkMediaType, readJson } from '../src/http/readJson.js';
import type { RestResponse } from '../src/http/send.js';
import type { ExecutableRoute } from './executableRoute.js';
import { readQuery } from './readQuery.js';
import { locationHeader, upsertStatus } from './success.js';

/** A request of `/v1`, independent of the HTTP library. */
export interface RestRequest {
  params: Readonly<Record<string, string>>;
  /** Undefined when it is not percent-encoded UTF-8. */
  query: URLSearchParams | undefined;
  idempotencyKey: string | undefined;
  contentType: string | undefined;
  /** The body by its headers: with a length, in chunks (possibly none), or absent. */
  body: 'announced' | 'chunked' | 'none';
  /** Reads the body, at most up to the limit. */
  readBody: (limit: number) => Promise<Buffer>;
}

const DEFAULT_BODY_LIMIT = 1024 * 1024;

/**
 * Answers one request. The checks follow the order of docs/contract.md#errors.
 *
 * @throws ServiceError for every refusal
 */
export async function handleRequest(
  compiled: ExecutableRoute,
  request: RestRequest,
  context: RequestContext,
): Promise<RestResponse> {
  const { access, operation, cost, field, operationClass } = compiled;
  const { caller, charge } = context;
  const { turns } = context.services;
  authorize(access, caller);
  const key = compiled.isMutation ? readIdempotencyKey(request.idempotencyKey) : undefined;
  const sent = await readInput(compiled, request);
  // If the client sent the body slowly, it was identified again.
  if (context.caller !== caller) authorize(access, context.caller);
  if (request.query === undefined)
    throw new ServiceError('invalid_request', 'The query is not percent-encoded UTF-8.');
  const query = readQuery(request.query, compiled.queryTypes);
  const shape = sent === undefined ? undefined : await readBodyShape(compiled.inputType, sent);
  if (key !== undefined && shape !== undefined && shape.problems.length > 0)
    await refuseShape(context, key, shape);
  const variables = {
    ...query,
    ...pathValues(compiled, request.params),
    ...inputValue(shape),
    idempotency_key: key,
  };
  const decided = { field, key: key ?? '', rejected: shape?.rejected ?? new Map<number, RejectedItem>() };
  const { resources } = cost.fixed ?? cost.of(variables);
  const result = await charge.run({ turns, operationClass, resources }, () =>
    operation.run({ ...context, decided }, variables),
  );
  return respond(compiled, resultOf(result), context);
}

/** The body as sent; undefined when the route has none. A POST without an input may send an empty object. */
async function readInput({ inputType, route }: ExecutableRoute, request: RestRequest): Promise<unknown> {
  if (inputType === undefined && route.method !== 'POST') return undefined;
  const mayBeEmpty = inputType === undefined || route.optionalBody === true;
  const empty = inputType === undefined ? undefined : {};
  if (mayBeEmpty && request.body === 'none') return empty;
  const { contentType } = request;
  if (contentType !== undefined || request.body === 'announced') checkMediaType(contentType, route.accepts);
  const bytes = await request.readBody(route.bodyLimit ?? DEFAULT_BODY_LIMIT);
  if (bytes.length === 0 && mayBeEmpty) return empty;
  // For chunks without a content type, only now it is known whether there is a body.
  if (bytes.length > 0 && contentType === undefined) checkMediaType(contentType, route.accepts);
  return readJson(bytes);
}

function pathValues(
  { pathNames }: ExecutableRoute,
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(pathNames.map((name) => [name, storableId(params[name] ?? '')]));
}

/** Replaces ids that PostgreSQL cannot store by one that cannot exist, so that they are a 404. */
function storableId(id: string): string {
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : '-';
}

function inputValue(shape: InputShape | undefined): Record<string, unknown> {
  return shape?.value === undefined ? {} : { input: shape.value };
}

function resultOf(result: ExecutionResult): unknown {
  const [error] = result.errors ?? [];
  if (error !== undefined) throw withCause(error);
  const value = result.data?.['result'];
  if (value === null || value === undefined)
    throw new ServiceError('internal_error', 'Something went wrong on our side.');
  return value;
}

/** Keeps the cause for the log; clients do not see it. */
function withCause(error: unknown): ServiceError {
  const described = describeError(error);
  if (described.cause === undefined && described !== error) described.cause = error;
  return described;
}

function respond(compiled: ExecutableRoute, result: unknown, context: RequestContext): RestResponse {
  const body = compiled.render(result);
  const { success = 200, location } = compiled.route;
  const status = success === 'upsert' ? upsertStatus(body) : success;
  const headers = location === undefined ? {} : locationHeader(location, status, body);
  if (context.charge.rate) Object.assign(headers, rateLimitHeaders(context.charge.rate));
  if (context.outcome.replayed) headers['Idempotent-Replayed'] = 'true';
  return { status, headers, body: status === 204 ? undefined : compiled.operation.print(body) };
}
