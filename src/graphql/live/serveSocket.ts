import type { IncomingMessage } from 'node:http';
import { CloseCode, MessageType, parseMessage, stringifyMessage } from 'graphql-ws';
import type { Server, SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** Interval of pings, and how long a client may take to answer one, in milliseconds. */
const PING_MS = 12_000;

/** The messages that only servers send, for which the library throws. */
const OF_SERVERS: ReadonlySet<MessageType> = new Set([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
]);

/** A request of a subscription, as it came. */
export interface Asked {
  payload: SubscribePayload;
  /** Bytes of its message. */
  bytes: number;
}

export interface SocketExtra extends Record<PropertyKey, unknown> {
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
  server: Server<SocketExtra>,
  extra: SocketExtra,
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
  const stopPings = pingRegularly(socket);
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, text),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data: Buffer) => void receive(withoutRequest(data, extra)).catch(fail)),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    stopPings();
    void closed(code, reason.toString()).catch(onFailure);
  });
}

function withoutRequest(data: Buffer, extra: SocketExtra): string {
  const text = data.toString();
  try {
    const message = parseMessage(text);
    // No message: the library closes the socket as for any that a client may not send.
    if (OF_SERVERS.has(message.type)) return '';
    if (message.type !== MessageType.Subscribe) return text;
    extra.asked = { payload: message.payload, bytes: data.length };
    return stringifyMessage({ ...message, payload: { query: '' } });
  } catch {
    // The library closes the socket for it.
    return text;
  }
}

function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve();
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
