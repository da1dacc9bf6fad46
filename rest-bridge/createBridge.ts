import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createContext } from '../src/access/createContext.js';
import type { RequestServices } from '../src/Services.js';
import { authorize } from '../src/access/FieldAccess.js';
import { identifyCaller, credentialsOf } from '../src/access/identifyCaller.js';
import type { BearerVerifier } from '../src/access/identifyCaller.js';
import { readBodyShape } from '../src/access/inputShape.js';
import type { RejectedItem } from '../src/access/inputShape.js';
import { rateLimitHeaders } from '../src/access/RateLimiter.js';
import { refuseShape } from '../src/access/refuseShape.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { ServiceError } from '../src/errors.js';
import type { OperationCompiler } from '../src/execution/OperationCompiler.js';
import { describeFailure } from '../src/http/describeFailure.js';
import { errorResponse } from '../src/http/errorResponse.js';
import type { DirectHandler } from '../src/http/frontDoor.js';
import { notesOf } from '../src/http/requestNotes.js';
import { send, sendJson } from '../src/http/send.js';
import type { RestResponse } from '../src/http/send.js';
import { refuseMethod, refuseWith } from '../src/http/unknownRoute.js';
import { executableRoute } from './executableRoute.js';
import type { ExecutableRoute } from './executableRoute.js';
import { buildOpenApi } from './openapi/buildOpenApi.js';
import { readCommand } from './readCommand.js';
import type { Identify } from './readCommand.js';
import { readQuery } from './readQuery.js';
import { pathNamesOf } from './Route.js';
import type { Route } from './Route.js';
import { locationHeader, upsertStatus } from './success.js';

type Params = Readonly<Record<string, string>>;
type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Params,
) => Promise<void> | undefined;

interface Place {
  /** Matches URLs of the path. Its groups are the parameters. */
  pattern: RegExp;
  answers: Map<string, Answer>;
}

/** The HTTP layer of `/v1`, on Node's own request and response. It does not use express. */
export function createBridge(
  services: RequestServices,
  verifier: BearerVerifier,
  compiler: OperationCompiler,
  routes: readonly Route[],
): DirectHandler {
  const places = placesOf([
    ...routes.map((route) => ({ ...route, answer: answer(services, verifier, compiler, route) })),
    { method: 'GET', path: '/v1/openapi.json', answer: serveOpenApi(services, compiler.schema, routes) },
  ]);
  return (request, response) => {
    const { method = '', url = '' } = request;
    const place = url.startsWith('/v1/') ? places.find(({ pattern }) => pattern.test(url)) : undefined;
    if (place === undefined) return false;
    const found = place.answers.get(method === 'HEAD' ? 'GET' : method);
    const params = paramsOf(place, url);
    if (params === undefined)
      refuseWith(response, new ServiceError('invalid_request', 'The path is not valid.'));
    else if (found === undefined) refuseMethod(response, place.answers.keys());
    else notesOf(response).handled = found(request, response, params);
    return true;
  };
}

/** The places of all paths. Literal segments take precedence over parameters. */
function placesOf(routes: readonly (Pick<Route, 'path'> & { method: string; answer: Answer })[]): Place[] {
  const places = new Map<string, Place>();
  const leastNames = routes.toSorted((a, b) => pathNamesOf(a).length - pathNamesOf(b).length);
  for (const { method, path, answer: answered } of leastNames) {
    const place = places.get(path) ?? { pattern: patternOf(path), answers: new Map<string, Answer>() };
    places.set(path, place);
    place.answers.set(method, answered);
  }
  return [...places.values()];
}

/** One trailing slash is ignored. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/?]+)')}/?(?:\\?|$)`);
}

/** The parameters of a URL; undefined when one is not well encoded. */
function paramsOf({ pattern }: Place, url: string): Params | undefined {
  const params: Record<string, string> = {};
  try {
    for (const [name, text] of Object.entries(pattern.exec(url)?.groups ?? {}))
      params[name] = decodeURIComponent(text);
    return params;
  } catch {
    return undefined;
  }
}

/** Creates the document once, at its first request. It is public, as it contains nothing of any app. */
function serveOpenApi(services: RequestServices, schema: GraphQLSchema, routes: readonly Route[]): Answer {
  let text: string | undefined;
  return (_request, response) => {
    notesOf(response).route = '/v1/openapi.json';
    text ??= JSON.stringify(buildOpenApi(schema, routes, services.config.baseUrl));
    sendJson(response, text);
  };
}

/** Answers the requests of a route, which is compiled at the first of them. */
function answer(
  services: RequestServices,
  verifier: BearerVerifier,
  compiler: OperationCompiler,
  route: Route,
): Answer {
  let compiled: ExecutableRoute | undefined;
  return async (request, response, params): Promise<void> => {
    const notes = notesOf(response);
    notes.route = route.path;
    notes.operation = route.operation;
    let context: RequestContext | undefined;
    let answered: RestResponse;
    try {
      compiled ??= executableRoute(compiler, route);
      const identify: Identify = () => identifyCaller(services.config, verifier, credentialsOf(request));
      context = createContext(services, await identify(), notes.requestId, compiled.operation.forms);
      if (context.caller.kind === 'app') notes.appId = context.caller.appId;
      await context.charge.begin(compiled.operationClass);
      answered = await run(compiled, request, params, context, identify);
    } catch (error) {
      answered = errorResponse(describeFailure(services.log, response, error), response);
    }
    // The remaining budget, of refused requests too.
    const { rate } = context?.charge ?? {};
    if (rate !== undefined) Object.assign(answered.headers, rateLimitHeaders(rate));
    send(response, answered);
  };
}

/**
 * Runs one request. The order of checks is that of docs/contract.md#order-of-checks.
 *
 * @throws the error of the operation, or ServiceError for every other refusal
 */
async function run(
  compiled: ExecutableRoute,
  request: IncomingMessage,
  params: Params,
  context: RequestContext,
  identify: Identify,
): Promise<RestResponse> {
  const { access, cost, field, inputType, operation, operationClass, pathNames } = compiled;
  authorize(access, context.caller);
  const command = compiled.isMutation ? await readCommand(compiled, request, context, identify) : undefined;
  const query = readQuery(request.url ?? '', compiled.queryTypes);
  const shape = command?.body === undefined ? undefined : await readBodyShape(inputType, command.body);
  if (command !== undefined && shape !== undefined && shape.problems.length > 0)
    await refuseShape(context, command.key, shape);
  const variables: Record<string, unknown> = { ...query, idempotency_key: command?.key };
  for (const name of pathNames) variables[name] = storableId(params[name] ?? '');
  if (shape?.value !== undefined) variables['input'] = shape.value;
  const rejected = shape?.rejected ?? new Map<number, RejectedItem>();
  const decided = { field: field.name, key: command?.key ?? '', rejected };
  const { resources } = cost.fixed ?? cost.of(variables);
  const { turns } = context.services;
  const result = await context.charge.run({ turns, operationClass, resources }, () =>
    operation.run(undefined, { ...context, decided }, variables),
  );
  const answered = respond(compiled, resultOf(result), context);
  await context.charge.answer(answered.body?.length ?? 0);
  return answered;
}

/** Replaces ids that PostgreSQL cannot store by one that cannot exist, so that they are a 404. */
function storableId(id: string): string {
  // No id has a tilde: partners choose those of entries, and may choose "-".
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : '~';
}

function resultOf(result: ExecutionResult): unknown {
  const [error] = result.errors ?? [];
  if (error !== undefined) throw error;
  const value = result.data?.['result'];
  if (value === null || value === undefined)
    throw new ServiceError('internal_error', 'Something went wrong on our side.');
  return value;
}

function respond(compiled: ExecutableRoute, body: unknown, { outcome }: RequestContext): RestResponse {
  const { success = 200, location } = compiled.route;
  const status = success === 'upsert' ? upsertStatus(body) : success;
  const headers = location === undefined ? {} : locationHeader(location, status, body);
  if (outcome.replayed) headers['Idempotent-Replayed'] = 'true';
  return { status, headers, body: status === 204 ? undefined : compiled.operation.print(body) };
}
