import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  requests: number;
  seconds: number;
  /** Milliseconds, sorted. */
  latencies: number[];
  failures: number;
}

/**
 * How much: a number of keep-alive connections for a time, as fast as they go or at a given rate of all
 * together.
 */
export interface LoadPlan {
  port: number;
  connections: number;
  seconds: number;
  /** The bytes of the next request. */
  next: () => Buffer;
  /** Ends the load early, once so many were sent. */
  requests?: number;
  /** Requests per second of all connections; absent: as many as are answered. */
  rate?: number;
  /** The status of every answer, or those that answers may have; 200 unless given. */
  status?: number | readonly number[];
}

const HEADER_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * Of what is read at once, into one buffer per connection: the load must not take more of the machine than it
 * has to.
 */
const CHUNK_BYTES = 64 * 1024;

/**
 * Sends requests over loopback, each connection its next one when the last was answered. Reads no more of an
 * answer than its length. The clock starts once every connection has had an answer: a server takes new ones
 * in one by one, which is not what is measured.
 */
export async function runLoad(plan: LoadPlan): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: plan.connections }, () => Connection.open(plan)),
  );
  const started = performance.now();
  const until = started + plan.seconds * 1000;
  let remaining = plan.requests ?? Infinity;
  const limited = { ...plan, left: () => (remaining -= 1) + 1 };
  const gapMs = plan.rate === undefined ? 0 : (plan.connections * 1000) / plan.rate;
  const workers = connections.map((connection, index) =>
    keepAsking(connection, limited, { until, gapMs, first: started + (index / plan.connections) * gapMs }),
  );
  const parts = await Promise.all(workers);
  const seconds = (performance.now() - started) / 1000;
  const latencies = parts.flatMap((part) => part.latencies).toSorted((a, b) => a - b);
  return {
    requests: latencies.length,
    seconds,
    latencies,
    failures: parts.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** The latency below which a share of the answers stayed. */
export function percentile({ latencies }: Pick<Load, 'latencies'>, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}

interface Remaining {
  /** Counts down by one: how many requests were left. */
  left: () => number;
}

interface Part {
  latencies: number[];
  failures: number;
}

interface Pace {
  /** When to end. */
  until: number;
  /** Between the requests of a connection; 0: none. */
  gapMs: number;
  /** When the first request is due. */
  first: number;
}

async function keepAsking(connection: Connection, plan: LoadPlan & Remaining, pace: Pace): Promise<Part> {
  const { until, gapMs } = pace;
  const part: Part = { latencies: [], failures: 0 };
  let due = pace.first;
  const expected = [plan.status ?? 200].flat();
  try {
    while (performance.now() < until && plan.left() > 0) {
      const waited = gapMs > 0 && (await sleepUntil(due));
      // Late by our timer: not the server's fault. Late because the answer before came late: the waiting
      // counts.
      const sent = gapMs === 0 || waited ? performance.now() : due;
      due += gapMs;
      const status = await connection.ask(plan.next());
      part.latencies.push(performance.now() - sent);
      if (!expected.includes(status)) part.failures += 1;
    }
  } finally {
    connection.close();
  }
  return part;
}

class Connection {
  private readonly reader = new AnswerReader();
  private readonly socket: Socket;

  private constructor(port: number) {
    const onread = { buffer: Buffer.allocUnsafe(CHUNK_BYTES), callback: this.reader.take };
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.reader.watch(this.socket);
  }

  /** Has one request answered, so that the server has taken it in. */
  static async open({ port, next }: Pick<LoadPlan, 'port' | 'next'>): Promise<Connection> {
    const connection = new Connection(port);
    await connection.ask(next());
    return connection;
  }

  ask(request: Buffer): Promise<number> {
    this.socket.write(request);
    return this.reader.read();
  }

  close(): void {
    this.socket.destroy();
  }
}

/** @returns whether there was time left */
async function sleepUntil(time: number): Promise<boolean> {
  const left = time - performance.now();
  if (left > 1) await new Promise((wake) => setTimeout(wake, left));
  return left > 0;
}

/**
 * Tells when one answer is complete, by its length or its last chunk. Keeps nothing of it but a header in
 * parts.
 */
class AnswerReader {
  /** What came of a header that is not complete. */
  private header = '';
  /** Bytes of the answer that are still to come; 0 until its header was read, Infinity while chunks come. */
  private left = 0;
  /** The last bytes of an answer in chunks. */
  private tail = '';
  private status = 0;
  private waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;

  watch(socket: Socket): void {
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('The server closed the connection.')));
  }

  read(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  /** @returns whether to go on reading */
  readonly take = (length: number, chunk: Uint8Array): boolean => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, length);
    const body = this.left > 0 ? length : this.bodyAfterHeader(bytes);
    if (body === undefined) return true;
    if (this.left === Infinity) {
      this.tail = (this.tail + bytes.toString('latin1', Math.max(0, length - LAST_CHUNK.length))).slice(
        -LAST_CHUNK.length,
      );
      if (this.tail === LAST_CHUNK) this.finish();
    } else {
      this.left -= body;
      if (this.left <= 0) this.finish();
    }
    return true;
  };

  /** Bytes that follow the header's end in what came; undefined while it has not ended. */
  private bodyAfterHeader(bytes: Buffer): number | undefined {
    const end = this.header === '' ? bytes.indexOf(HEADER_END) : -1;
    const text = this.header + bytes.toString('latin1', 0, end < 0 ? bytes.length : end + HEADER_END.length);
    const length = text.indexOf(HEADER_END);
    if (length < 0) {
      this.header = text;
      return undefined;
    }
    const consumed = length + HEADER_END.length - this.header.length;
    this.header = '';
    this.status = Number(text.slice(9, 12));
    const [, announced] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, length)) ?? [];
    this.left = announced === undefined ? Infinity : Number(announced);
    return bytes.length - consumed;
  }

  private finish(): void {
    this.left = 0;
    this.tail = '';
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(this.status);
  }
}
