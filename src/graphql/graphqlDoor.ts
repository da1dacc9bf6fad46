import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApolloServer } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import type { Caller } from '../access/Caller.js';
import { Charge } from '../access/Charge.js';
import { createContext } from '../access/createContext.js';
import { identifyAgain } from '../access/identifyAgain.js';
import { identifyCaller, credentialsOf } from '../access/identifyCaller.js';
import type { BearerVerifier } from '../access/identifyCaller.js';
import { rateLimitHeaders } from '../access/RateLimiter.js';
import type { OperationClass } from '../access/RateLimiter.js';
import type { RequestContext } from '../access/RequestContext.js';
import { ServiceError, unauthenticated } from '../errors.js';
import { enterBySession } from '../http/SessionDoor.js';
import type { SessionDoor } from '../http/SessionDoor.js';
import type { DirectHandler } from '../http/frontDoor.js';
import { bodyTooLarge, readBody } from '../http/readBody.js';
import { checkMediaType, readJson } from '../http/readJson.js';
import { notesOf } from '../http/requestNotes.js';
import { NOTHING } from '../execution/operationCost.js';
import type { RequestServices } from '../Services.js';
import { printData, sendInvalid, sendResult } from './answer.js';
import type { SpanStart } from '../telemetry/tracing.js';
import type { Operation } from './Operation.js';
import type { OperationMetrics } from './OperationMetrics.js';
import type { Documents } from './Documents.js';
import { MAX_BODY_BYTES, MAX_PLAIN_BODY_BYTES } from './limits.js';
import { executeByApollo } from './executeByApollo.js';
import type { Send } from './executeByApollo.js';
import { InvalidOperation } from './InvalidOperation.js';
import { GRAPHQL_TYPE, JSON_TYPE, mediaTypeFor } from './mediaType.js';
import type { LiveDoor } from './live/LiveDoor.js';
import { answerEvents } from './live/answerEvents.js';
import { wantsEvents } from './live/EventStreams.js';
import { readOperation, readParameters } from './readOperation.js';
import type { OperationRequest } from './readOperation.js';
import { refuse, refuseFailure } from './refuse.js';
import { requireMethod } from './requireMethod.js';
import { variableErrors } from './variableErrors.js';

const PATH = /^\/graphql\/?(?:\?|$)/;

export interface GraphqlParts {
  services: RequestServices;
  verifier: BearerVerifier;
  documents: Documents;
  apollo: ApolloServer<RequestContext>;
  live: LiveDoor;
  /** Addresses of event streams for clients with a session here. */
  sessionDoors: readonly SessionDoor[];
  metrics: OperationMetrics;
}

/**
 * Serves `/graphql`. Every request is read once, and its document checked once. Compiled operations run here;
 * Apollo Server executes all others. Guards, limits and shown errors are the same.
 */
export function graphqlDoor(parts: GraphqlParts): DirectHandler {
  return (request, response) => {
    const url = request.url ?? '';
    const door =
      request.method === 'POST' ? parts.sessionDoors.find(({ path }) => path.test(url)) : undefined;
    if (door === undefined && !PATH.test(url)) return false;
    notesOf(response).route = '/graphql';
    void (door === undefined
      ? answer(parts, request, response)
      : answerBySession(parts, door, request, response));
    return true;
  };
}

async function answerBySession(
  parts: GraphqlParts,
  door: SessionDoor,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!(await enterBySession(door, request)))
      throw new ServiceError('unauthenticated', 'There is no session that this page may use.');
    if (!wantsEvents(request.headers.accept)) return refuse(response, GRAPHQL_TYPE, STREAMED, 406);
  } catch (error) {
    return refuseFailure(parts.services, response, GRAPHQL_TYPE, error);
  }
  return answer(parts, request, response);
}

async function answer(
  parts: GraphqlParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const streams = wantsEvents(request.headers.accept);
  const type = streams ? GRAPHQL_TYPE : mediaTypeFor(request.headers.accept);
  let charge: Charge | undefined;
  try {
    requireMethod(request, ['GET', 'POST']);
    const first = await identify(parts, request);
    if (first.kind === 'app') notesOf(response).appId = first.appId;
    charge = new Charge(parts.services.rateLimiter, first);
    const startedAt = performance.now();
    const operation = await readCharged(parts, request, charge, type);
    const caller = await identifyAgain(startedAt, first, () => identify(parts, request));
    if (streams) {
      setRate(response, charge);
      return await answerEvents(parts, operation, charge, request, response);
    }
    const send = await run(parts, request, response, { caller, charge, type: type ?? JSON_TYPE, operation });
    setRate(response, charge);
    send(response);
    const { operation: rootFields = 'unknown', code } = notesOf(response);
    parts.metrics.observe(rootFields, performance.now() - startedAt, code !== undefined);
  } catch (error) {
    setRate(response, charge);
    const answered = type ?? JSON_TYPE;
    if (error instanceof InvalidOperation) sendInvalid(response, answered, error);
    else if (error === NOT_ACCEPTABLE || error === STREAMED)
      refuse(response, answered, error as ServiceError, 406);
    else refuseFailure(parts.services, response, answered, error);
  }
}

const NOT_ACCEPTABLE = new ServiceError(
  'invalid_request',
  'The answer is application/json or application/graphql-response+json.',
);

const STREAMED = new ServiceError(
  'invalid_request',
  'Subscriptions are answered by text/event-stream (Accept), or over WebSocket.',
);

function setRate(response: ServerResponse, charge: Charge | undefined): void {
  if (charge?.rate === undefined) return;
  for (const [name, value] of Object.entries(rateLimitHeaders(charge.rate))) response.setHeader(name, value);
  response.setHeader('X-Request-Cost', String(charge.points));
}

/** Reads the request and charges it before its document is checked. Unreadable requests are charged too. */
async function readCharged(
  { documents }: GraphqlParts,
  request: IncomingMessage,
  charge: Charge,
  type: string | undefined,
): Promise<OperationRequest> {
  let guess: OperationClass = 'read';
  try {
    if (type === undefined) throw NOT_ACCEPTABLE;
    const { operation, bytes } = await readRequest(request);
    guess = documents.guessClass(operation.source, operation.operationName);
    if (guess !== 'ingest' && bytes > MAX_PLAIN_BODY_BYTES) throw bodyTooLarge(MAX_PLAIN_BODY_BYTES);
    return operation;
  } finally {
    await charge.begin(guess);
  }
}

/** In production every request needs a valid credential; elsewhere only one that was sent must be valid. */
async function identify({ services, verifier }: GraphqlParts, request: IncomingMessage): Promise<Caller> {
  const credentials = credentialsOf(request);
  const caller = await identifyCaller(services.config, verifier, credentials);
  const sentOne = credentials.authorization !== undefined || credentials.adminKey !== undefined;
  if (caller.kind === 'anonymous' && (sentOne || services.config.environment === 'production'))
    throw unauthenticated(caller);
  return caller;
}

async function readRequest(
  request: IncomingMessage,
): Promise<{ operation: OperationRequest; bytes: number }> {
  const { method, url = '', headers } = request;
  const isGet = method === 'GET';
  if (!isGet || headers['content-type'] !== undefined) checkMediaType(headers['content-type']);
  if (!isGet) {
    const body = await readBody(request, { limit: MAX_BODY_BYTES, inflate: true });
    return { operation: readOperation(readJson(body)), bytes: body.length };
  }
  const start = url.indexOf('?');
  const operation = readParameters(new URLSearchParams(start < 0 ? '' : url.slice(start + 1)));
  return { operation, bytes: 0 };
}

interface Call {
  caller: Caller;
  charge: Charge;
  /** The media type of the answer. */
  type: string;
  operation: OperationRequest;
}

async function run(
  { services, documents, apollo }: GraphqlParts,
  request: IncomingMessage,
  response: ServerResponse,
  { caller, charge, type, operation: { source, operationName, variables } }: Call,
): Promise<Send> {
  const document = documents.find(source);
  const operation = document.operation(operationName);
  if (operation?.kind === OperationTypeNode.SUBSCRIPTION) throw STREAMED;
  if (operation?.kind === OperationTypeNode.MUTATION) requireMethod(request, ['POST']);
  else await charge.spend('read', 1);
  if (operation !== undefined) notesOf(response).operation = operation.rootFields;
  const { resources, introspected } = operation?.weigh(variables) ?? NOTHING;
  const { variableDefinitions = [] } = operation?.definition ?? {};
  const problems = variableErrors(documents.compiler.schema, variableDefinitions, variables);
  if (problems !== undefined) return () => sendInvalid(response, type, new InvalidOperation(problems));
  // Compiled queries may run twice, and what operators do is logged once.
  const compiled = caller.kind === 'admin' ? undefined : operation?.compiled();
  const context = createContext(services, caller, notesOf(response).requestId, compiled?.forms, charge);
  const execute = async (): Promise<Send> => {
    charge.resources += introspected;
    if (compiled === undefined)
      return executeByApollo(apollo, { query: document.text, operationName, variables }, context, type);
    const result = await compiled.run(undefined, context, variables);
    const printed = await printData(compiled, result.data, context);
    return () => sendResult(response, type, printed, result, context);
  };
  const { tracing, turns } = services;
  const operationClass = operation?.operationClass ?? 'read';
  return charge.run(
    { turns, operationClass, resources },
    () => tracing?.inSpan(spanOf(operation), execute) ?? execute(),
  );
}

/** Named by the root fields, as the client may choose any operation name. */
function spanOf(operation: Operation | undefined): SpanStart {
  const attributes = {
    'graphql.operation.type': operation?.kind ?? 'query',
    'consent.operation': operation?.rootFields ?? '',
  };
  return { name: `graphql ${operation?.rootFields ?? 'operation'}`, kind: 'internal', attributes };
}
