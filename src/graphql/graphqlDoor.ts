import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApolloServer } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import { nameOf } from '../access/Caller.js';
import type { Caller } from '../access/Caller.js';
import { Charge } from '../access/Charge.js';
import { createContext } from '../access/createContext.js';
import { identifyAgain } from '../access/identifyAgain.js';
import { identifyCaller, credentialsOf } from '../access/identifyCaller.js';
import type { BearerVerifier } from '../access/identifyCaller.js';
import { rateLimitHeaders } from '../access/RateLimiter.js';
import type { OperationClass } from '../access/RateLimiter.js';
import type { RequestContext } from '../access/RequestContext.js';
import { SMALL } from '../concurrency/HeldBodies.js';
import { ServiceError, unauthenticated } from '../errors.js';
import { describeFailure } from '../http/describeFailure.js';
import { enterBySession } from '../http/SessionDoor.js';
import type { SessionDoor } from '../http/SessionDoor.js';
import type { DirectHandler } from '../http/frontDoor.js';
import { bodyTooLarge, encodingOf, inflated, useBody } from '../http/readBody.js';
import { checkMediaType, inTurn, parseJson, valuesIn } from '../http/readJson.js';
import { notesOf } from '../http/requestNotes.js';
import type { CompiledOperation } from '../execution/OperationCompiler.js';
import { NOTHING } from '../execution/operationCost.js';
import type { RequestServices } from '../Services.js';
import { answerOf, noteErrors, printData, sendAnswer, sendInvalid } from './answer.js';
import type { Answer } from './answer.js';
import type { SpanStart } from '../telemetry/tracing.js';
import type { Operation } from './Operation.js';
import type { OperationMetrics } from './OperationMetrics.js';
import type { CheckedDocument } from './CheckedDocument.js';
import type { Documents } from './Documents.js';
import { MAX_BODY_BYTES, MAX_PLAIN_BODY_BYTES } from './limits.js';
import { executeByApollo } from './executeByApollo.js';
import { findDocument } from './findDocument.js';
import { InvalidOperation } from './InvalidOperation.js';
import { GRAPHQL_TYPE, JSON_TYPE, mediaTypeFor } from './mediaType.js';
import type { LiveDoor } from './live/LiveDoor.js';
import { answerEvents } from './live/answerEvents.js';
import { takesEvents, wantsEvents } from './live/EventStreams.js';
import { readOperation, readParameters } from './readOperation.js';
import type { OperationRequest } from './readOperation.js';
import { refuse } from './refuse.js';
import { requireMethod } from './requireMethod.js';

/** The address of GraphQL, with or without a query. */
export const GRAPHQL_PATH = /^\/graphql\/?(?:\?|$)/;

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
    if (door === undefined && !GRAPHQL_PATH.test(url)) return false;
    const notes = notesOf(response);
    notes.route = '/graphql';
    notes.handled =
      door === undefined ? answer(parts, request, response) : answerBySession(parts, door, request, response);
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
    return refuse(response, GRAPHQL_TYPE, describeFailure(parts.services.log, response, error));
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
  let startedAt = performance.now();
  try {
    requireMethod(request, ['GET', 'POST']);
    const first = await identify(parts, request);
    if (first.kind === 'app') notesOf(response).appId = first.appId;
    charge = new Charge(parts.services.rateLimiter, first);
    startedAt = performance.now();
    const asked = await readCharged(parts, request, first, charge, type);
    const caller = await identifyAgain(startedAt, first, () => identify(parts, request));
    const found = await find(parts, asked, caller, response, streams);
    if (found.operation?.kind === OperationTypeNode.SUBSCRIPTION) {
      if (!takesEvents(request.headers.accept)) throw STREAMED;
      notesOf(response).isStream = true;
      setRate(response, charge);
      return await answerEvents(parts, found.operation, asked, request, response);
    }
    const call = { ...found, caller, charge, type: type ?? JSON_TYPE, asked };
    const answered = await run(parts, request, response, call);
    await charge.answer(answered.text.length);
    setRate(response, charge);
    if (streams) {
      noteErrors(response, answered.errors);
      parts.live.streams.sendOnce(response, answered.text);
    } else sendAnswer(response, call.type, answered);
    observe(parts, response, startedAt);
  } catch (error) {
    setRate(response, charge);
    const answered = type ?? JSON_TYPE;
    if (error instanceof InvalidOperation) {
      sendInvalid(response, answered, error);
      if (notesOf(response).operation !== undefined) observe(parts, response, startedAt);
    } else if (error === NOT_ACCEPTABLE || error === STREAMED)
      refuse(response, answered, error as ServiceError, 406);
    else refuse(response, answered, describeFailure(parts.services.log, response, error));
  }
}

function observe({ metrics }: GraphqlParts, response: ServerResponse, startedAt: number): void {
  const { operation = 'unknown', code } = notesOf(response);
  metrics.observe(operation, performance.now() - startedAt, code !== undefined);
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
  { documents, services }: GraphqlParts,
  request: IncomingMessage,
  caller: Caller,
  charge: Charge,
  type: string | undefined,
): Promise<OperationRequest> {
  let guess: OperationClass = 'read';
  let values = 0;
  try {
    if (type === undefined) throw NOT_ACCEPTABLE;
    const sent = await readRequest(services, request, caller);
    guess = documents.guessClass(sent.operation.source, sent.operation.operationName);
    ({ values } = sent);
    if (guess !== 'ingest' && sent.bytes > MAX_PLAIN_BODY_BYTES) throw bodyTooLarge(MAX_PLAIN_BODY_BYTES);
    return sent.operation;
  } finally {
    await charge.begin(guess);
    await charge.takeBody(guess, values);
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

interface SentOperation {
  operation: OperationRequest;
  /** The length of the body, decompressed. */
  bytes: number;
  /** How many values the body has (`valuesIn`). */
  values: number;
}

async function readRequest(
  { heldBodies, parseTurns }: RequestServices,
  request: IncomingMessage,
  caller: Caller,
): Promise<SentOperation> {
  const { method, url = '', headers } = request;
  const isGet = method === 'GET';
  if (!isGet || headers['content-type'] !== undefined) checkMediaType(request);
  if (isGet) {
    const start = url.indexOf('?');
    const operation = readParameters(new URLSearchParams(start < 0 ? '' : url.slice(start)));
    return { operation, bytes: 0, values: 0 };
  }
  const encoding = encodingOf(request);
  const options = { limit: MAX_BODY_BYTES, mayBeCompressed: true };
  return useBody(request, heldBodies.begin(nameOf(caller)), options, async (sent) => {
    const read = async (): Promise<SentOperation> => {
      const body = encoding === undefined ? sent : await inflated(sent, encoding, MAX_BODY_BYTES);
      const values = valuesIn(body);
      return { operation: readOperation(parseJson(body, values)), bytes: body.length, values };
    };
    return encoding === undefined && sent.length <= SMALL ? read() : inTurn(parseTurns, caller, read);
  });
}

interface Found {
  document: CheckedDocument;
  /** Undefined if the document has none of that name, which Apollo Server reports. */
  operation: Operation | undefined;
}

/** Finds what is asked for, and notes it. A stream only begins for an operation that exists. */
async function find(
  parts: GraphqlParts,
  asked: OperationRequest,
  caller: Caller,
  response: ServerResponse,
  streams: boolean,
): Promise<Found> {
  const notes = notesOf(response);
  if (streams) notes.isStream = true;
  const document = await findDocument(parts, asked, caller);
  const { operationName } = asked;
  const operation = streams ? document.requireOperation(operationName) : document.operation(operationName);
  if (operation !== undefined) notes.operation = operation.rootFields;
  return { document, operation };
}

interface Call extends Found {
  caller: Caller;
  charge: Charge;
  /** The media type of the answer. */
  type: string;
  asked: OperationRequest;
}

/** Executes a query or mutation, for an answer over HTTP or by one event. */
async function run(
  parts: GraphqlParts,
  request: IncomingMessage,
  response: ServerResponse,
  { document, operation, caller, charge, type, asked: { operationName, variables } }: Call,
): Promise<Answer> {
  const { services, apollo } = parts;
  const isMutation = operation?.kind === OperationTypeNode.MUTATION;
  if (isMutation) requireMethod(request, ['POST']);
  else await charge.spend('read', 1);
  const { resources, introspected } = operation?.check(variables) ?? NOTHING;
  // Compiled queries may run twice, and what operators do is logged once.
  const compiled = caller.kind === 'admin' ? undefined : await compiledInTurn(services, operation, caller);
  const context = createContext(services, caller, notesOf(response).requestId, compiled?.forms, charge);
  if (isMutation) context.identify = () => identify(parts, request);
  const execute = async (): Promise<Answer> => {
    charge.resources += introspected;
    if (compiled === undefined)
      return executeByApollo(apollo, { query: document.text, operationName, variables }, context, type);
    const result = await compiled.run(undefined, context, variables);
    return answerOf(await printData(compiled, result.data, context), result, context);
  };
  const { tracing, turns } = services;
  const operationClass = operation?.operationClass ?? 'read';
  return charge.run(
    { turns, operationClass, resources },
    () => tracing?.inSpan(spanOf(operation), execute) ?? execute(),
  );
}

function compiledInTurn(
  { parseTurns }: RequestServices,
  operation: Operation | undefined,
  caller: Caller,
): CompiledOperation | undefined | Promise<CompiledOperation | undefined> {
  if (operation?.isToCompile !== true) return operation?.compiled();
  return inTurn(parseTurns, caller, () => operation.compiled());
}

/** Named by the root fields, as the client may choose any operation name. */
function spanOf(operation: Operation | undefined): SpanStart {
  const attributes = {
    'graphql.operation.type': operation?.kind ?? 'query',
    'consent.operation': operation?.rootFields ?? '',
  };
  return { name: `graphql ${operation?.rootFields ?? 'operation'}`, kind: 'internal', attributes };
}
