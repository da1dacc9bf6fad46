import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { Context } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { identifyCaller, credentialsOf } from '../../access/identifyCaller.js';
import type { BearerVerifier } from '../../access/identifyCaller.js';
import type { Caller } from '../../access/Caller.js';
import { Charge } from '../../access/Charge.js';
import { describeError } from '../../access/describeError.js';
import type { HeldBody } from '../../concurrency/HeldBodies.js';
import { afterAnswers } from '../../http/afterAnswers.js';
import { bodyTooLarge } from '../../http/readBody.js';
import { inTurn } from '../../http/readJson.js';
import { requestIdFrom } from '../../http/requestNotes.js';
import { ServiceError } from '../../errors.js';
import { enterBySession } from '../../http/SessionDoor.js';
import type { SessionDoor } from '../../http/SessionDoor.js';
import type { RequestServices } from '../../Services.js';
import type { Documents } from '../Documents.js';
import { findDocument } from '../findDocument.js';
import { GRAPHQL_PATH } from '../graphqlDoor.js';
import { InvalidOperation } from '../InvalidOperation.js';
import { MAX_BODY_BYTES, MAX_PLAIN_BODY_BYTES } from '../limits.js';
import { readOperation } from '../readOperation.js';
import { shownErrors } from '../shownErrors.js';
import { identifyListener } from './identifyListener.js';
import type { LiveDoor } from './LiveDoor.js';
import type { LiveMessage, LiveStream } from './LiveStream.js';
import { OperationIds } from './OperationIds.js';
import { reparse } from './reparse.js';
import { serveSocket } from './serveSocket.js';
import type { ServedSocket } from './serveSocket.js';

/** Maximum bytes of a client before its connection is acknowledged. */
const MAX_EARLY_BYTES = 100 * 1024;

/** Maximum bytes that a client may leave unread while it sends more: most messages have an answer. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Maximum concurrent operations of one socket. */
const MAX_PER_SOCKET = 100;

/** Maximum characters of an operation's id, which each of its events repeats. */
const MAX_ID = 128;

/** How long a client may take to answer that its socket closes, in milliseconds. */
const CLOSE_MS = 1000;

export interface SocketParts {
  services: RequestServices;
  verifier: BearerVerifier;
  documents: Documents;
  door: LiveDoor;
}

interface SocketExtra extends ServedSocket {
  requestId?: string;
  /** Its open subscriptions, and the number of those that are being opened. */
  streams: Set<LiveStream>;
  opening: number;
  /** Who it was at its begin. */
  caller: Caller;
}
type SocketContext = Context<Record<string, unknown>, SocketExtra>;

/**
 * Serves subscriptions by the protocol GraphQL over WebSocket (`graphql-transport-ws`), at `/graphql` and at
 * the addresses for clients with a session here.
 *
 * @returns a function that stops it
 */
export function openSockets(
  server: Server,
  parts: SocketParts,
  sessionDoors: readonly SessionDoor[],
): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
    // One message of each socket in a round of the event loop, however many were sent.
    allowSynchronousEvents: false,
    handleProtocols,
  });
  /** Functions that remove the bound of early bytes. */
  const letIn = new WeakMap<IncomingMessage, () => void>();
  const protocol = makeServer<Record<string, unknown>, SocketExtra>({
    connectionInitWaitTimeout: 5000,
    onConnect: async (context) => {
      const { extra } = context;
      const caller = await identify(parts, context);
      extra.caller = caller;
      if (caller.kind !== 'app') return false;
      letIn.get(extra.request)?.();
      extra.onTaken = boundHeldBytes(extra, parts.services.heldBodies.begin(caller.appId));
      return true;
    },
    onSubscribe: (context) => prepare(parts, context),
    subscribe: ({ contextValue }) => contextValue as AsyncGenerator<ExecutionResult>,
    execute: refuseOthers,
    // The stream consists of messages with the text of the results, which the library need not print.
    onNext: ({ extra }, number, _payload, _args, message) => {
      extra.ids.sendNext(number, (message as unknown as LiveMessage).text);
      return {};
    },
    onError: (context, _id, _payload, errors) =>
      shownErrors(errors as GraphQLError[], {
        requestId: requestIdOf(context),
        baseUrl: parts.services.config.baseUrl,
      }),
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const open = (): void => {
      letIn.set(request, boundEarlyBytes(socket, head.length));
      sockets.handleUpgrade(request, socket, head, (opened) => {
        boundUnreadBytes(opened);
        const streams = new Set<LiveStream>();
        const ids = new OperationIds();
        const extra: SocketExtra = {
          socket: opened,
          request,
          ids,
          streams,
          opening: 0,
          caller: { kind: 'anonymous', reason: '' },
          inTurn: (work) => inTurn(parts.services.parseTurns, extra.caller, work),
        };
        opened.once('close', () => {
          for (const stream of streams) stream.end();
        });
        serveSocket(protocol, extra, (error) =>
          parts.services.log.warn({ err: error }, 'a message of a socket could not be handled'),
        );
      });
    };
    // Another method with the offer is a request without it (RFC 6455, 4.1; RFC 9110, 7.8).
    const isSocket = request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
    if (isSocket && GRAPHQL_PATH.test(request.url ?? '')) return open();
    const door = isSocket && sessionDoors.find(({ path }) => path.test(request.url ?? ''));
    if (!door) return reparse(server, request, socket, head);
    void openBySession(parts, door, request, socket, open);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    afterAnswers(socket, () => upgrade(request, socket, head)),
  );
  return async () => {
    for (const client of sockets.clients) client.close(1001, 'Going away');
    const timer = setTimeout(() => {
      for (const client of sockets.clients) client.terminate();
    }, CLOSE_MS);
    await new Promise((resolve) => sockets.close(resolve));
    clearTimeout(timer);
  };
}

/**
 * Closes a socket that sends too much before it is acknowledged, as its messages are buffered.
 *
 * @returns a function that removes the bound
 */
function boundEarlyBytes(socket: Duplex, alreadyRead: number): () => void {
  let bytes = alreadyRead;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_EARLY_BYTES) socket.destroy();
  };
  socket.on('data', count);
  return () => socket.off('data', count);
}

/**
 * Counts the bytes of each message among the held bodies of its app until the message is taken. Ends the
 * socket when the app holds too many.
 *
 * @returns a function to be called when a message is taken
 */
function boundHeldBytes({ request, socket }: ServedSocket, { count, end }: HeldBody): () => void {
  let bytes = 0;
  request.socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    try {
      count(bytes);
    } catch {
      end();
      socket.terminate();
    }
  });
  socket.once('close', end);
  return () => {
    bytes = 0;
    end();
  };
}

/** Ends a socket whose client goes on sending and does not read, as the answers are kept until it does. */
function boundUnreadBytes(opened: WebSocket): void {
  opened.on('message', () => {
    if (opened.bufferedAmount > MAX_UNREAD_BYTES) opened.terminate();
  });
}

async function openBySession(
  { services }: SocketParts,
  door: SessionDoor,
  request: IncomingMessage,
  socket: Duplex,
  open: () => void,
): Promise<void> {
  // Node took its own listener off; without one a client that resets the connection would end the process.
  socket.on('error', () => undefined);
  try {
    if (await enterBySession(door, request)) open();
    else refuse(socket, '401 Unauthorized');
  } catch (error) {
    services.log.error({ err: error }, 'a socket could not be let in');
    refuse(socket, '503 Service Unavailable');
  }
}

/** Refuses and closes; a client that keeps its half of the connection open does not keep the socket. */
function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Reads the bearer token of the first message, or of the upgrade. */
async function identify(
  { services, verifier }: SocketParts,
  { connectionParams, extra }: SocketContext,
): Promise<Caller> {
  const said = Object.entries(connectionParams ?? {}).find(
    ([name]) => name.toLowerCase() === 'authorization',
  )?.[1];
  const { authorization } = credentialsOf(extra.request);
  const credentials = { authorization: typeof said === 'string' ? said : authorization, adminKey: undefined };
  return identifyListener(extra.request, () => identifyCaller(services.config, verifier, credentials));
}

/**
 * Opens the stream here, where errors can be sent by the protocol's error message. The stream is passed on as
 * the context.
 */
async function prepare(
  parts: SocketParts,
  context: SocketContext,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { extra } = context;
  const { asked, streams } = extra;
  extra.asked = undefined;
  extra.opening += 1;
  try {
    if (asked !== undefined && asked.bytes > MAX_PLAIN_BODY_BYTES) throw bodyTooLarge(MAX_PLAIN_BODY_BYTES);
    if (asked !== undefined && asked.id.length > MAX_ID)
      throw new ServiceError('invalid_request', `The id of an operation has at most ${MAX_ID} characters.`);
    const request = readOperation(asked?.payload);
    if (streams.size + extra.opening > MAX_PER_SOCKET)
      throw new ServiceError('rate_limited', `A socket has at most ${MAX_PER_SOCKET} operations at a time.`);
    await new Charge(parts.services.rateLimiter, await identify(parts, context)).begin('read');
    const { operationName } = request;
    const operation = (await findDocument(parts, request, extra.caller)).requireOperation(operationName);
    if (operation.kind !== OperationTypeNode.SUBSCRIPTION) throw notHere();
    const stream = await parts.door.open(operation, request, {
      identify: () => identify(parts, context),
      requestId: requestIdOf(context),
      lastEventId: request.lastEventId,
      cut: () => extra.socket.terminate(),
    });
    keepWithSocket(extra, stream);
    const { schema } = parts.documents.compiler;
    const { document } = operation;
    return { document, schema, operationName: operationName ?? null, contextValue: stream };
  } catch (error) {
    if (error instanceof InvalidOperation) return error.errors;
    const described = describeError(error);
    if (described.status >= 500)
      parts.services.log.error({ err: error }, 'a subscription could not be opened');
    // Without a path it would count as a language error.
    return [new GraphQLError(described.message, { path: [], originalError: described })];
  } finally {
    extra.opening -= 1;
  }
}

/** Counts a stream while it is open. It may not outlive its socket, which may have closed meanwhile. */
function keepWithSocket({ socket, streams }: SocketExtra, stream: LiveStream): void {
  streams.add(stream);
  stream.whenOver(() => streams.delete(stream));
  if (socket.readyState >= socket.CLOSING) stream.end();
}

function notHere(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'Send queries and mutations by POST; sockets are for subscriptions.',
  );
}

/** Never called: only subscriptions pass `prepare`. */
function refuseOthers(): never {
  throw notHere();
}

/** One request id per socket: that of its upgrade, if given. */
function requestIdOf({ extra }: SocketContext): string {
  extra.requestId ??= requestIdFrom(extra.request.headers['x-request-id'] as string | undefined);
  return extra.requestId;
}
