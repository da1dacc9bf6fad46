import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { freePort } from './freePort.js';

/**
 * Passes the bytes of TCP connections on to another port of this machine; stalled, it loses none and passes
 * none on.
 */
export class Relay {
  readonly port: number;
  private readonly target: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isStalled = false;

  private constructor(port: number, target: number) {
    this.port = port;
    this.target = target;
    this.server = createServer((socket) => this.take(socket));
  }

  static async start(target: number): Promise<Relay> {
    const relay = new Relay(await freePort(), target);
    await new Promise<void>((resolve, reject) => {
      relay.server.once('error', reject);
      relay.server.listen(relay.port, '127.0.0.1', resolve);
    });
    return relay;
  }

  /** Connections stay open and new ones are taken, but nothing arrives any more. */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Open connections stay open, but nothing arrives on them any more; new ones work. */
  abandon(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** New connections are taken, but nothing arrives on them. */
  stallNew(): void {
    this.isStalled = true;
  }

  resume(): void {
    this.isStalled = false;
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private take(near: Socket): void {
    const far = connect({ port: this.target, host: '127.0.0.1', noDelay: true });
    near.setNoDelay(true);
    this.forward(near, far);
    this.forward(far, near);
  }

  /** Not `pipe`, which would let a stalled socket flow again by itself. */
  private forward(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroySoon();
    });
    if (this.isStalled) from.pause();
  }
}
