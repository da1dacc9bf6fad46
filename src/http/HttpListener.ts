import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { lastAnswer } from './lastAnswer.js';

/** Maximum wait for requests in flight when stopping, in milliseconds. */
const GRACE_MS = 10_000;

/**
 * How long a connection that has sent nothing may still do so when stopping, in milliseconds. Browsers and
 * load balancers open connections in advance, and Node.js counts none of them as idle.
 */
const FIRST_BYTE_MS = 1000;

/**
 * How long an idle connection is kept, in milliseconds. Load balancers keep theirs for 60 s (AWS, nginx). The
 * client must close first, or its next request may be sent on a connection that has just been closed.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * How long a client may neither send nor read while it is answered, in milliseconds. What it does not read is
 * kept in memory. Subscriptions send more often; a WebSocket has bounds of its own. It may last twice as
 * long: Node.js asks once in this time whether some of an unfinished write was read since it asked before.
 */
const SILENCE_MS = 60_000;

/** A server on its port. Closing it loses no received request. */
export class HttpListener {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async open(
    server: Server,
    host: string,
    port: number,
    silenceMs = SILENCE_MS,
  ): Promise<HttpListener> {
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.timeout = silenceMs;
    server.on('timeout', (socket: Socket) => {
      // Another length is that of an idle connection. While nothing waits to be read, the answer is being
      // made.
      if (socket.timeout !== silenceMs || socket.writableLength > 0) socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const { port: taken } = server.address() as AddressInfo;
    return new HttpListener(server, `http://${host.includes(':') ? `[${host}]` : host}:${taken}`);
  }

  /** Lets each connection end with the answer that it owes now, where its headers can still say so. */
  endWithAnswers(): void {
    for (const answer of this.lastAnswers()) if (!answer.headersSent) answer.shouldKeepAlive = false;
  }

  /** Stops accepting connections and waits for requests in flight, at most ten seconds. */
  async close(): Promise<void> {
    // Runs right after the poll phase, which accepted waiting connections and read received bytes.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.endWithAnswers();
    for (const answer of this.lastAnswers()) closeAtEnd(answer);
    const timers = [
      setTimeout(() => this.closeUnused(), FIRST_BYTE_MS),
      setTimeout(() => this.server.closeAllConnections(), GRACE_MS),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  private lastAnswers(): ServerResponse[] {
    return [...this.sockets].flatMap((socket) => lastAnswer(socket) ?? []);
  }

  private closeUnused(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Closes the connection of an answer whose headers left it open, unless it already has another request. */
function closeAtEnd(answer: ServerResponse): void {
  const { socket } = answer.req;
  answer.once('finish', () => {
    if (lastAnswer(socket) === undefined) socket.destroySoon();
  });
}
