import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createContext } from '../src/access/createContext.js';
import { describeError, isOurFault } from '../src/access/describeError.js';
import { rateLimitHeaders } from '../src/access/RateLimiter.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import type { Caller } from '../src/access/Caller.js';
import { identifyAgain } from '../src/access/identifyAgain.js';
import { identifyCaller, credentialsOf } from '../src/access/identifyCaller.js';
import type { BearerVerifier } from '../src/access/identifyCaller.js';
import { ServiceError } from '../src/errors.js';
import type { OperationCompiler } from '../src/execution/OperationCompiler.js';
import type { DirectHandler } from '../src/http/frontDoor.js';
import { readBody } from '../src/http/readBody.js';
import type { DoorServices } from '../src/access/createContext.js';
import { notesOf } from '../src/http/requestNotes.js';
import { buildOpenApi } from './openapi/buildOpenApi.js';
import { errorResponse } from '../src/http/errorResponse.js';
import { executableRoute } from './executableRoute.js';
import type { ExecutableRoute } from './executableRoute.js';
import { handleRequest } from './handleRequest.js';
import type { RestRequest } from './handleRequest.js';
import type { RestResponse } from '../src/http/send.js';
import type { Route } from './Route.js';
import { RouteTable } from './RouteTable.js';
import { send, sendJson } from '../src/http/send.js';
import { refuseWith } from '../src/http/unknownRoute.js';

type Params = Readonly<Record<string, string>>;
type Answer = (request: IncomingMessage, response: ServerResponse, params: Params) => void;

/** The HTTP layer of `/v1`: it reads headers, and writes headers and JSON. It does not use express. */
export function createBridge(
  services: DoorServices,
  verifier: BearerVerifier,
  compiler: OperationCompiler,
  routes: readonly Route[],
): DirectHandler {
  const table = new RouteTable<Answer>();
  for (const route of routes) {
    table.add(route.method, route.path, answer(services, verifier, executableRoute(compiler, route)));
  }
  table.add('GET', '/v1/openapi.json', serveOpenApi(services, compiler.schema, routes));
  return (request, response) => {
    const url = request.url ?? '';
    if (!url.startsWith('/v1/')) return false;
    const query = url.indexOf('?');
    try {
      const match = table.find(request.method ?? '', query < 0 ? url : url.slice(0, query));
      if (match === undefined) return false;
      if (match.found === undefined) refuseMethod(response, match.allow);
      else match.found(request, response, match.params);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      refuseWith(response, new ServiceError('invalid_request', 'The path is not valid.'));
    }
    return true;
  };
}

function refuseMethod(response: ServerResponse, allow: readonly string[]): void {
  const error = new ServiceError('method_not_allowed', 'This path does not know the method.', {
    allow: [...allow],
  });
  refuseWith(response, error);
}

/** Creates the document once, at its first request. It is public, as it contains nothing of any app. */
function serveOpenApi(services: DoorServices, schema: GraphQLSchema, routes: readonly Route[]): Answer {
  let text: string | undefined;
  return (_request, response) => {
    notesOf(response).route = '/v1/openapi.json';
    text ??= JSON.stringify(buildOpenApi(schema, routes, services.config.baseUrl));
    sendJson(response, text);
  };
}

function answer(services: DoorServices, verifier: BearerVerifier, compiled: ExecutableRoute): Answer {
  return async (request, response, params): Promise<void> => {
    const notes = notesOf(response);
    notes.route = compiled.route.path;
    notes.operation = compiled.route.operation;
    const { requestId } = notes;
    let context: RequestContext | undefined;
    try {
      const identify = (): Promise<Caller> =>
        identifyCaller(services.config, verifier, credentialsOf(request));
      context = createContext(services, await identify(), requestId, compiled.operation.forms);
      if (context.caller.kind === 'app') notes.appId = context.caller.appId;
      await context.charge.begin(compiled.operationClass);
      const read = readFrom(request, context, identify);
      send(response, await handleRequest(compiled, toRestRequest(request, params, read), context));
    } catch (error) {
      const described = describeError(error);
      if (isOurFault(described))
        services.log.error({ err: described.cause ?? error, request_id: requestId }, 'request failed');
      send(response, withRateLimit(errorResponse(described, response), context));
    }
  };
}

/** Adds the remaining budget to an error that was counted, as for a success. */
function withRateLimit(refusal: RestResponse, context: RequestContext | undefined): RestResponse {
  const rate = context?.charge.rate;
  return rate === undefined
    ? refusal
    : { ...refusal, headers: { ...refusal.headers, ...rateLimitHeaders(rate) } };
}

/** Reads the body. If it arrived slowly, the caller is identified again. */
function readFrom(
  request: IncomingMessage,
  context: RequestContext,
  identify: () => Promise<Caller>,
): RestRequest['readBody'] {
  return async (limit) => {
    const startedAt = performance.now();
    const body = await readBody(request, { limit });
    context.caller = await identifyAgain(startedAt, context.caller, identify);
    return body;
  };
}

function toRestRequest(request: IncomingMessage, params: Params, read: RestRequest['readBody']): RestRequest {
  const { headers, url = '' } = request;
  const start = url.indexOf('?');
  return {
    params,
    query: queryOf(start < 0 ? '' : url.slice(start + 1)),
    idempotencyKey: keyOf(request),
    contentType: headers['content-type'],
    body: bodyOf(request),
    readBody: read,
  };
}

/**
 * Parses a query; undefined when it is not percent-encoded UTF-8. `URLSearchParams` alone would insert
 * replacement characters for invalid bytes, and keep stray percent signs.
 */
function queryOf(text: string): URLSearchParams | undefined {
  try {
    if (text.includes('%')) decodeURIComponent(text);
  } catch {
    return undefined;
  }
  return new URLSearchParams(text);
}

/** Node joins repeated headers with a comma, which would be a valid key. A line break makes it invalid. */
function keyOf({ headers, headersDistinct }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'] as string | undefined;
  return key?.includes(',') ? headersDistinct['idempotency-key']?.join('\n') : key;
}

function bodyOf({ headers }: IncomingMessage): RestRequest['body'] {
  if (headers['transfer-encoding'] !== undefined) return 'chunked';
  return Number(headers['content-length'] ?? 0) > 0 ? 'announced' : 'none';
}
