import type { Request, Response } from 'express';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { createContext } from '../src/access/createContext.js';
import { describeError, isOurFault } from '../src/access/describeError.js';
import { identifyCaller } from '../src/access/identifyCaller.js';
import type { BearerVerifier } from '../src/access/identifyCaller.js';
import { StoredText } from '../src/domain/StoredText.js';
import { ServiceError } from '../src/errors.js';
import type { OperationCompiler } from '../src/execution/OperationCompiler.js';
import type { Services } from '../src/Services.js';
import { buildOpenApi } from './openapi/buildOpenApi.js';
import { errorResponse } from './errorResponse.js';
import { executableRoute } from './executableRoute.js';
import type { ExecutableRoute } from './executableRoute.js';
import { handleRequest } from './handleRequest.js';
import type { RestRequest, RestResponse } from './handleRequest.js';
import { readBody } from './readBody.js';
import type { Route } from './Route.js';

/** The thin express side of `/v1`: headers in, headers and JSON out. */
export function bridgeRouter(
  services: Services,
  verifier: BearerVerifier,
  compiler: OperationCompiler,
  routes: readonly Route[],
): express.Router {
  const router = express.Router({ caseSensitive: true });
  for (const [path, group] of groupedByPath(routes)) {
    const place = router.route(path);
    for (const route of group) {
      const handler = answer(services, verifier, executableRoute(compiler, route));
      place[route.method.toLowerCase() as 'get'](handler);
    }
    const allow = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    place.all((_request, response) => {
      const error = new ServiceError('method_not_allowed', 'This path does not know the method.', { allow });
      send(response, errorResponse(error, requestIdOf(response)));
    });
  }
  router.get('/v1/openapi.json', serveOpenApi(services, compiler.schema, routes));
  return router;
}

/** The document is made once and open to all: it tells nothing of any app. */
function serveOpenApi(services: Services, schema: GraphQLSchema, routes: readonly Route[]): express.RequestHandler {
  const text = JSON.stringify(buildOpenApi(schema, routes, services.config.baseUrl));
  return (_request, response) => {
    response.type('application/json').send(text);
  };
}

function groupedByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

function answer(services: Services, verifier: BearerVerifier, compiled: ExecutableRoute) {
  return async (request: Request, response: Response): Promise<void> => {
    const requestId = requestIdOf(response);
    try {
      const credentials = { authorization: request.get('authorization'), adminKey: request.get('x-service-admin-key') };
      const caller = await identifyCaller(services.config, verifier, credentials);
      const context = createContext(services, caller, requestId, compiled.operation.factForm);
      send(response, await handleRequest(compiled, toRestRequest(request, response), context));
    } catch (error) {
      const described = describeError(error);
      if (isOurFault(described))
        services.log.error({ err: described.cause ?? error, request_id: requestId }, 'request failed');
      send(response, errorResponse(described, requestId));
    }
  };
}

function toRestRequest(request: Request, response: Response): RestRequest {
  const start = request.url.indexOf('?');
  return {
    params: request.params as Record<string, string>,
    query: new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1)),
    idempotencyKey: request.get('idempotency-key'),
    contentType: request.get('content-type'),
    hasBody: request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0,
    readBody: (limit) => readBody(request, response, limit),
  };
}

/** Sends JSON without Express's ETag and re-printing, which cost more than the rest of the answer. */
export function send(response: Response, { status, headers, body }: RestResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  if (body === undefined) {
    response.end();
    return;
  }
  const text = body instanceof StoredText ? body.text : JSON.stringify(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}
