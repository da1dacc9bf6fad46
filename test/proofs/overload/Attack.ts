import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { TestPartner } from '../../support/TestPartner.js';

const BODY_BYTES = 100 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, ' ');
const DRIP_MS = 500;
const FLOOD_CONNECTIONS = 32;

/** Where bodies are read, each by a reader or with a limit of its own. */
const BODY_PATHS = ['/v1/claims/batch', '/graphql', '/v1/customers', '/oauth/token', '/sign-in'];

/** An app that does its worst, and what it was answered. */
export class Attack {
  /** How often each status was answered; `cut` where the connection ended without one. */
  readonly answers = new Map<number | 'cut', number>();
  private readonly by: TestPartner;
  private readonly slow: Socket[] = [];
  private dripping: NodeJS.Timeout | undefined;

  constructor(by: TestPartner) {
    this.by = by;
  }

  /** How many answers were a failure of the service that it does not own up to. */
  get faults(): number {
    return [...this.answers].reduce(
      (sum, [status, times]) => (status !== 'cut' && status >= 500 && status !== 503 ? sum + times : sum),
      0,
    );
  }

  get refusedForLimits(): number {
    return this.answers.get(429) ?? 0;
  }

  /**
   * Opens sockets that send a byte at a time: half of them headers without an end, half a body with a token.
   */
  async openSlowSockets(count: number): Promise<void> {
    const { hostname, port } = new URL(this.by.baseUrl);
    for (let place = 0; place < count; place += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.resume();
      await once(socket, 'connect');
      socket.write(place % 2 === 0 ? 'GET /v1/customers HTTP/1.1\r\nX-Slow: ' : this.announced());
      this.slow.push(socket);
    }
    this.dripping = setInterval(() => {
      for (const socket of this.slow) if (socket.writable) socket.write(' ');
    }, DRIP_MS);
  }

  get openSockets(): number {
    return this.slow.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
  }

  closeSlowSockets(): void {
    clearInterval(this.dripping);
    for (const socket of this.slow.splice(0)) socket.destroy();
  }

  private announced(): string {
    return (
      `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: ${this.by.credentials['authorization'] ?? ''}\r\n` +
      'Idempotency-Key: slow-socket-of-the-proof\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{'
    );
  }

  /**
   * Streams bodies of 100 MB at the same time, to every door; and one of 100 MB that is small until unpacked.
   */
  async sendLargeBodies(count: number): Promise<void> {
    const bomb = gzipSync(Buffer.alloc(BODY_BYTES, ' '));
    const streams = Array.from({ length: count }, (_, place) =>
      this.stream(
        BODY_PATHS[place % BODY_PATHS.length] ?? '',
        { 'content-type': 'application/json' },
        BODY_BYTES,
      ),
    );
    const packed = ['/graphql', '/v1/claims/batch'].map((path) =>
      this.stream(path, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, bomb),
    );
    await Promise.all([...streams, ...packed]);
  }

  private async stream(path: string, headers: Record<string, string>, body: number | Buffer): Promise<void> {
    const sent = request(this.by.baseUrl + path, {
      method: 'POST',
      agent: false,
      headers: { ...this.by.credentials, 'idempotency-key': `large-body-${path.length}`, ...headers },
    });
    const answer = new Promise<number | 'cut'>((resolve) => {
      sent.once('response', (response: IncomingMessage) => {
        response.resume();
        resolve(response.statusCode ?? 'cut');
      });
      sent.once('error', () => resolve('cut'));
      sent.once('close', () => resolve('cut'));
    });
    if (typeof body === 'number') await pour(sent, body);
    else sent.end(body);
    this.note(await answer);
    sent.destroy();
  }

  /** Sends cheap and costly reads, as fast as they are answered. */
  async flood(requests: number): Promise<void> {
    let left = requests;
    const sender = async (): Promise<void> => {
      for (; left > 0; left -= 1) {
        const answer = await (
          left % 2 === 0
            ? this.by.rest('GET', '/v1/customers?limit=100')
            : this.by.graphql('{ customers(first: 50) { nodes { id externalId metadata } } }')
        ).catch(() => undefined);
        this.note(answer?.status ?? 'cut');
      }
    };
    await Promise.all(Array.from({ length: FLOOD_CONNECTIONS }, sender));
  }

  private note(status: number | 'cut'): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }
}

/** Goes on sending whatever was answered, as rude clients do, until all was taken or the connection ended. */
async function pour(sent: ClientRequest, bytes: number): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(bytes / CHUNK.length) }, () => CHUNK);
  await pipeline(Readable.from(chunks), sent).catch(() => undefined);
}
