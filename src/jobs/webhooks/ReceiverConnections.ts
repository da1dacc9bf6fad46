import http from 'node:http';
import type { Socket } from 'node:net';
import { connectToReceiver } from './connectToReceiver.js';
import type { ReceiverNetwork } from './connectToReceiver.js';

/** How long a connection waits for its next request. Most receivers close none before two seconds. */
const MAX_IDLE_MS = 1000;

/** When a connection is older, it takes no further request: the receiver's name is resolved again. */
const MAX_AGE_MS = 60_000;

/** Connections that wait, to all receivers. */
const MAX_IDLE = 500;

/** A checked connection to a receiver, for one request after the other. */
export class ReceiverConnection extends http.Agent {
  private readonly openedAt = performance.now();

  /** @param keep called when an answer was read to its end; tells whether the connection stays open */
  constructor(
    readonly socket: Socket,
    private readonly keep: (connection: ReceiverConnection) => boolean,
  ) {
    super({ keepAlive: true });
  }

  override createConnection(): Socket {
    return this.socket;
  }

  override keepSocketAlive(): boolean {
    return performance.now() - this.openedAt < MAX_AGE_MS && this.keep(this);
  }
}

/** Opens connections to receivers, and keeps those that were answered for a moment: for the same URL only. */
export class ReceiverConnections {
  private readonly idle = new Map<string, Set<ReceiverConnection>>();
  private waiting = 0;

  constructor(private readonly network: ReceiverNetwork) {}

  /** A connection that was used for the URL before. */
  takeKept({ href }: URL): ReceiverConnection | undefined {
    const connection = [...(this.idle.get(href) ?? [])].findLast(({ socket }) => socket.writable);
    if (connection !== undefined) this.remove(href, connection);
    return connection;
  }

  /** @throws AttemptFailure */
  async open(url: URL, signal: AbortSignal): Promise<ReceiverConnection> {
    const { href } = url;
    const socket = await connectToReceiver(url, this.network, signal);
    const connection = new ReceiverConnection(socket, (answered) => this.add(href, answered));
    socket.once('timeout', () => socket.destroy());
    socket.once('close', () => this.remove(href, connection));
    return connection;
  }

  close(): void {
    for (const connections of this.idle.values()) for (const { socket } of connections) socket.destroy();
  }

  private add(href: string, connection: ReceiverConnection): boolean {
    if (this.waiting >= MAX_IDLE) return false;
    connection.socket.setTimeout(MAX_IDLE_MS);
    const connections = this.idle.get(href) ?? new Set();
    this.idle.set(href, connections.add(connection));
    this.waiting += 1;
    return true;
  }

  private remove(href: string, connection: ReceiverConnection): void {
    const connections = this.idle.get(href);
    if (connections?.delete(connection) !== true) return;
    this.waiting -= 1;
    connection.socket.setTimeout(0);
    if (connections.size === 0) this.idle.delete(href);
  }
}
