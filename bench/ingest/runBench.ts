import pg from 'pg';
import { ingestEvents } from '../../src/commands/ingestEvents.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { QueueWorker } from '../../src/jobs/QueueWorker.js';
import type { IngestEventInput } from '../../schema/inputs/EventInput.js';
import { IngestFixture } from '../../test/support/IngestFixture.js';
import { plainInsert } from './plainInsert.js';

export interface BenchOptions {
  ownerUrl: string;
  serviceUrl: string;
  events: number;
}

export interface IngestResult {
  events: number;
  /** The time of inserting, accepting and applying all events. */
  seconds: { plain: number; accept: number; apply: number };
  /** Resident memory of this process after each third of the time, and its maximum. */
  memoryMb: { thirds: number[]; max: number };
}

const CUSTOMERS = 1000;
const BATCH = 500;
const CLIENTS = 4;
/** Customers of one batch. It is less than the events: a batch has several events of a customer. */
const CUSTOMERS_OF_BATCH = 100;
const ROUNDS = 5;

/**
 * Accepts events and inserts the same rows by a plain statement, in turns, so that both run under the same
 * conditions. Then it applies the events.
 */
export async function runBench({ ownerUrl, serviceUrl, events }: BenchOptions): Promise<IngestResult> {
  const fixture = new IngestFixture(serviceUrl, { poolSize: CLIENTS + 4 });
  const owner = new pg.Pool({ connectionString: ownerUrl, max: CLIENTS });
  // Connections break when the server stops. That is no fault.
  owner.on('error', () => undefined);
  const memory = new MemoryWatch();
  try {
    await fixture.prepare();
    const customers: string[] = [];
    for (let index = 0; index < CUSTOMERS; index += 1)
      customers.push((await fixture.addCustomer('personalization')).id);
    await owner.query('CREATE TABLE plain (LIKE inbox INCLUDING ALL)');
    const seconds = { accept: 0, plain: 0 };
    const perRound = Math.ceil(events / BATCH / ROUNDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const batches = Array.from({ length: perRound }, () => makeBatch(fixture, customers));
      seconds.plain += await timed(batches, (batch, at) =>
        plainInsert(owner, fixture.appId, batch, round * perRound + at),
      );
      seconds.accept += await timed(batches, (batch) => accept(fixture, batch));
    }
    const total = perRound * ROUNDS * BATCH;
    const apply = await applyAll(fixture, total);
    return { events: total, seconds: { ...seconds, apply }, memoryMb: memory.told() };
  } finally {
    memory.stop();
    await owner.end();
    await fixture.close();
  }
}

function makeBatch(fixture: IngestFixture, customers: readonly string[]): IngestEventInput[] {
  const start = Math.floor(Math.random() * customers.length);
  return Array.from({ length: BATCH }, (_, index) => {
    const customer = customers[(start + (index % CUSTOMERS_OF_BATCH)) % customers.length] ?? '';
    const day = String(1 + Math.floor(Math.random() * 28)).padStart(2, '0');
    return fixture.event(customer, {
      eventType: Math.random() < 0.2 ? 'purchased' : 'viewed',
      object: `entry-${Math.floor(Math.random() * 10)}`,
      occurredAt: `2026-01-${day}T10:00:00.000Z`,
      properties: { channel: 'web', campaign: 'spring', position: index },
    });
  });
}

async function accept(fixture: IngestFixture, events: IngestEventInput[]): Promise<void> {
  const { accepted } = await fixture.request('ingestEvents', { events }, (tx, context) =>
    ingestEvents(tx, context, { events }),
  );
  if (accepted !== events.length)
    throw new Error(`Only ${accepted} of ${events.length} events were accepted.`);
}

/** The seconds in which all clients send all batches. */
async function timed<T>(
  batches: readonly T[],
  send: (batch: T, at: number) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    for (let at = next++; at < batches.length; at = next++) await send(batches[at] as T, at);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (performance.now() - start) / 1000;
}

async function applyAll(fixture: IngestFixture, total: number): Promise<number> {
  const start = performance.now();
  const options = { queue: 'customer' as const, concurrency: 4, pollMs: 100, work: drainCustomer };
  const worker = new QueueWorker(fixture.services, options);
  worker.start();
  while ((await countEvents(fixture)) < total) await new Promise((wake) => setTimeout(wake, 100));
  const seconds = (performance.now() - start) / 1000;
  await worker.stop();
  return seconds;
}

async function countEvents(fixture: IngestFixture): Promise<number> {
  const [row] = await fixture.rows<{ applied: number }>(
    'SELECT sum(applied_sequence) AS applied FROM customer_heads WHERE app_id = $1',
  );
  return Number(row?.applied ?? 0);
}

/** Samples the memory of this process. It should not grow after the warm-up. */
class MemoryWatch {
  private readonly samples: number[] = [];
  private readonly timer = setInterval(() => this.samples.push(process.memoryUsage.rss() / 2 ** 20), 250);

  told(): IngestResult['memoryMb'] {
    const thirds = [1 / 3, 2 / 3, 1].map(
      (share) => this.samples[Math.ceil(this.samples.length * share) - 1] ?? 0,
    );
    return { thirds, max: Math.max(...this.samples) };
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
