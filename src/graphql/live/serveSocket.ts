import type { IncomingMessage } from 'node:http';
import { CloseCode, MessageType, parseMessage, stringifyMessage } from 'graphql-ws';
import type { Message, Server, SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { holdsMore } from '../../http/readJson.js';
import { OperationIds } from './OperationIds.js';

/** Interval of pings, and how long a client may take to answer one, in milliseconds. */
const PING_MS = 12_000;

/** Maximum commas and opening brackets of a message: a subscription's variables are few. */
const MAX_VALUES = 10_000;

/** Maximum bytes of an id that the reason of a close repeats; a reason has at most 123. */
const MAX_TOLD_ID = 90;

/** A request of a subscription, as it came. */
export interface Asked {
  id: string;
  payload: SubscribePayload;
  /** Bytes of its message. */
  bytes: number;
}

export interface ServedSocket extends Record<PropertyKey, unknown> {
  socket: WebSocket;
  request: IncomingMessage;
  /** The request whose subscription the library begins at this moment. */
  asked?: Asked | undefined;
}

/**
 * Passes messages between a socket and the library of the protocol. The library keeps a message while its
 * subscription is open, and so is given none of its request.
 */
export function serveSocket(
  server: Server<ServedSocket>,
  extra: ServedSocket,
  onFailure: (error: unknown) => void,
): void {
  const { socket } = extra;
  const fail = (error: unknown): void => {
    if (socket.readyState !== socket.OPEN) return;
    onFailure(error);
    socket.close(CloseCode.InternalServerError, 'Internal server error');
  };
  // The transport's library closes the socket itself.
  socket.on('error', () => undefined);
  const ids = new OperationIds();
  const stopPings = pingRegularly(socket);
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, ids.toClient(text)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data: Buffer) => {
          const text = toLibrary(data, extra, ids);
          if (text !== undefined) void receive(text).catch(fail);
        }),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    stopPings();
    void closed(code, reason.toString()).catch(onFailure);
  });
}

/** A message as the library is given it; undefined if it is given none. */
function toLibrary(data: Buffer, extra: ServedSocket, ids: OperationIds): string | undefined {
  const text = data.toString();
  const message = holdsMore(data, MAX_VALUES) ? undefined : parsed(text);
  switch (message?.type) {
    case MessageType.ConnectionInit:
    case MessageType.Ping:
    case MessageType.Pong:
      return text;
    case MessageType.Subscribe: {
      const id = ids.begin(message.id);
      if (id === undefined) return void refuseSecond(extra.socket, message.id);
      extra.asked = { id: message.id, payload: message.payload, bytes: data.length };
      return stringifyMessage({ id, type: MessageType.Subscribe, payload: { query: '' } });
    }
    case MessageType.Complete: {
      const id = ids.end(message.id);
      return id && stringifyMessage({ id, type: MessageType.Complete });
    }
    default:
      extra.socket.close(CloseCode.BadRequest, 'Invalid message received');
      return undefined;
  }
}

function parsed(text: string): Message | undefined {
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}

/** Closes the socket of a client that begins an operation by the id of one that is open. */
function refuseSecond(socket: WebSocket, id: string): void {
  const told = Buffer.byteLength(id) > MAX_TOLD_ID ? 'this id' : id;
  socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${told} already exists`);
}

function send(socket: WebSocket, text: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (text === undefined || socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends a socket whose client does not answer a ping before the next one. */
function pingRegularly(socket: WebSocket): () => void {
  let isAnswered = true;
  socket.on('pong', () => (isAnswered = true));
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    if (socket.readyState !== socket.OPEN) return;
    isAnswered = false;
    socket.ping();
  }, PING_MS);
  return () => clearInterval(timer);
}
