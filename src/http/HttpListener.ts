import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longest wait for requests in flight when stopping, in milliseconds. */
const GRACE_MS = 10_000;

/**
 * How long an idle connection is kept. Load balancers keep theirs for 60 s (AWS, nginx). The client must be
 * the one that closes first, or its next request meets a connection that has just closed.
 */
const KEEP_ALIVE_MS = 75_000;

/** A server on its port; closing it loses no request that it received. */
export class HttpListener {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(server: Server, host: string, port: number): Promise<HttpListener> {
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const { port: taken } = server.address() as AddressInfo;
    return new HttpListener(server, `http://${host.includes(':') ? `[${host}]` : host}:${taken}`);
  }

  /** Stops accepting connections and waits for requests in flight, at most ten seconds. */
  async close(): Promise<void> {
    // Right after the poll phase, in which connections that waited were accepted and bytes that had come were
    // read.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const timer = setTimeout(() => this.server.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(timer);
  }
}
