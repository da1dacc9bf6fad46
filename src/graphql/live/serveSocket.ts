import type { IncomingMessage } from 'node:http';
import { CloseCode, MessageType, parseMessage, stringifyMessage } from 'graphql-ws';
import type { Message, Server, SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { SMALL } from '../../concurrency/HeldBodies.js';
import { holdsMore } from '../../http/readJson.js';
import type { OperationIds } from './OperationIds.js';

/** Interval of pings, and how long a client may take to answer one, in milliseconds. */
const PING_MS = 12_000;

/** Maximum commas and opening brackets of a message: a subscription's variables are few. */
const MAX_VALUES = 10_000;

/** The code of a close by a server that is overloaded (IANA's registry of WebSocket close codes). */
const TRY_LATER = 1013;

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
  ids: OperationIds;
  /** Does work on a large message in the turn of who sent it, with a rest behind it. */
  inTurn: (work: () => void) => Promise<void>;
  /** Told when a message is taken; absent until its client is known. */
  onTaken?: () => void;
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
  const { socket, ids } = extra;
  const fail = (error: unknown): void => {
    if (socket.readyState !== socket.OPEN) return;
    onFailure(error);
    socket.close(CloseCode.InternalServerError, 'Internal server error');
  };
  // The transport's library closes the socket itself.
  socket.on('error', () => undefined);
  const stopPings = pingRegularly(socket);
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, ids.toClient(text)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data: Buffer) => {
          const take = (): void => {
            extra.onTaken?.();
            const text = toLibrary(data, extra);
            if (text !== undefined) void receive(text).catch(fail);
          };
          if (data.length <= SMALL) take();
          else void takeInTurn(extra, take);
        }),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    stopPings();
    void closed(code, reason.toString()).catch(onFailure);
  });
}

/** Reads no more of the socket until a large message was taken, and the rest behind it is over. */
async function takeInTurn({ socket, inTurn }: ServedSocket, take: () => void): Promise<void> {
  socket.pause();
  try {
    await inTurn(take);
  } catch {
    socket.close(TRY_LATER, 'Too many large messages');
  } finally {
    socket.resume();
  }
}

/** A message as the library is given it; undefined if it is given none. */
function toLibrary(data: Buffer, extra: ServedSocket): string | undefined {
  const text = data.toString();
  const message = holdsMore(data, MAX_VALUES) ? undefined : parsed(text);
  switch (message?.type) {
    case MessageType.ConnectionInit:
    case MessageType.Ping:
    case MessageType.Pong:
      return text;
    case MessageType.Subscribe: {
      const id = extra.ids.begin(message.id);
      if (id === undefined) return void refuseSecond(extra.socket, message.id);
      extra.asked = { id: message.id, payload: message.payload, bytes: data.length };
      return stringifyMessage({ id, type: MessageType.Subscribe, payload: { query: '' } });
    }
    case MessageType.Complete: {
      const id = extra.ids.end(message.id);
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
