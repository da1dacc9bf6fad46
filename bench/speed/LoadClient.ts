import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  requests: number;
  seconds: number;
  /** Milliseconds, sorted. */
  latencies: number[];
  failures: number;
}

/** How much: a number of keep-alive connections for a time, as fast as they go or at a given rate of all together. */
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
}

const HEADER_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** Sends requests over loopback, each connection its next one when the last was answered. Reads no more of an answer than its length. */
export async function runLoad(plan: LoadPlan): Promise<Load> {
  const started = performance.now();
  const until = started + plan.seconds * 1000;
  let remaining = plan.requests ?? Infinity;
  const limited = { ...plan, left: () => (remaining -= 1) + 1 };
  const workers = Array.from({ length: plan.connections }, (_, index) => {
    const gapMs = plan.rate === undefined ? 0 : (plan.connections * 1000) / plan.rate;
    return runConnection(limited, until, gapMs, (index / plan.connections) * gapMs);
  });
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

async function runConnection(plan: LoadPlan & Remaining, until: number, gapMs: number, delayMs: number): Promise<Part> {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
  const reader = new AnswerReader(socket);
  const part: Part = { latencies: [], failures: 0 };
  let due = performance.now() + delayMs;
  try {
    while (performance.now() < until && plan.left() > 0) {
      const waited = gapMs > 0 && (await sleepUntil(due));
      // Late by our timer: not the server's fault. Late because the answer before came late: the waiting counts.
      const sent = gapMs === 0 || waited ? performance.now() : due;
      due += gapMs;
      socket.write(plan.next());
      const status = await reader.read();
      part.latencies.push(performance.now() - sent);
      if (status !== 200) part.failures += 1;
    }
  } finally {
    socket.destroy();
  }
  return part;
}

/** @returns whether there was time left */
async function sleepUntil(time: number): Promise<boolean> {
  const left = time - performance.now();
  if (left > 1) await new Promise((wake) => setTimeout(wake, left));
  return left > 0;
}

/** Tells when one answer is complete, by its length or its last chunk. */
class AnswerReader {
  private chunks: Buffer[] = [];
  private length = 0;
  /** Bytes of the whole answer; 0 until its header was read, Infinity while chunks come. */
  private expected = 0;
  private status = 0;
  private waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('The server closed the connection.')));
  }

  read(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.expected === 0) this.readHeader();
    if (this.expected === Infinity ? this.ended() : this.expected > 0 && this.length >= this.expected) this.finish();
  }

  private readHeader(): void {
    const bytes = this.chunks.length === 1 ? (this.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.chunks);
    const end = bytes.indexOf(HEADER_END);
    if (end < 0) return;
    const header = bytes.toString('latin1', 0, end);
    this.status = Number(header.slice(9, 12));
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
    this.expected = length === undefined ? Infinity : end + 4 + Number(length);
  }

  private ended(): boolean {
    const tail = Buffer.concat(this.chunks.slice(-2));
    return tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }

  private finish(): void {
    this.chunks = [];
    this.length = 0;
    this.expected = 0;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(this.status);
  }
}
