import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchHarness } from './BenchHarness.js';
import { callService } from './callService.js';
import type { Call } from './callService.js';

export interface IngestPlan {
  customers: number;
  /** Of each customer. */
  claims: number;
  /** Of each fact, in turn. */
  sources: number;
}

export interface Ingested {
  ids: string[];
  claims: number;
  /** Until the last claim was accepted. */
  acceptSeconds: number;
  /** From then until the last one was applied. */
  applySeconds: number;
}

const FACTS = 10;
const BATCH = 500;
/** Batches under way at the same time. */
const CLIENTS = 4;
const AT = Date.parse('2026-11-01T08:00:00.000Z');

/**
 * Makes customers by the service's own doors, sends their claims and waits until a worker has applied them
 * and learned from them.
 */
export async function ingestClaims(harness: BenchHarness, plan: IngestPlan): Promise<Ingested> {
  const call: Call = { port: harness.ours.port, token: await harness.token(), expect: 201 };
  const ids = [];
  for (let index = 0; index < plan.customers; index += 1) ids.push(await addCustomer(call));
  const batches = makeBatches(ids, plan);
  const started = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, () => sendBatches({ ...call, expect: 202 }, batches)));
  const accepted = performance.now();
  await untilIdle(harness, ['customer']);
  const applied = performance.now();
  await untilIdle(harness, ['customer', 'learning', 'workflow']);
  const acceptSeconds = (accepted - started) / 1000;
  return {
    ids,
    claims: plan.customers * plan.claims,
    acceptSeconds,
    applySeconds: (applied - accepted) / 1000,
  };
}

/** A customer of ours with a receipt for what its claims are for. */
async function addCustomer(call: Call): Promise<string> {
  const { customer } = await callService<{ customer: { id: string } }>(call, 'POST', '/v1/customers', {
    external_id: randomUUID(),
  });
  await callService(call, 'POST', '/v1/consent-receipts', {
    customer_id: customer.id,
    purposes: ['personalization', 'analytics'],
  });
  return customer.id;
}

function makeBatches(ids: readonly string[], { claims, sources }: IngestPlan): object[][] {
  const all = ids.flatMap((id) =>
    Array.from({ length: claims }, (_, index) => makeClaim(id, index, sources)),
  );
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) =>
    all.slice(at * BATCH, (at + 1) * BATCH),
  );
}

function makeClaim(id: string, index: number, sources: number): object {
  const item = Math.floor(index / FACTS);
  const fact = index % FACTS;
  const source = item % sources;
  return {
    customer_id: id,
    attribute: `preference.topic_${String(fact).padStart(3, '0')}`,
    // Each fact has a source that disagrees.
    value: source === 4 ? 'another value' : `value ${fact} of ${id.slice(-5)}`,
    source: `source_${source}`,
    observed_at: new Date(AT - item * 3_600_000).toISOString(),
    context: 'seen at the till of the harbour branch',
    consent_purpose: fact % 3 === 0 ? 'analytics' : 'personalization',
    confidence: 0.9,
    provenance: {
      source_partner: 'Harbour Books',
      collected_at: new Date(AT).toISOString(),
      source_system: 'till-17',
      evidence_url: `https://partner.example/evidence/${id}/${index}`,
    },
  };
}

async function sendBatches(call: Call, batches: object[][]): Promise<void> {
  for (let claims = batches.shift(); claims !== undefined; claims = batches.shift()) {
    const { rejected } = await callService<{ rejected: number }>(call, 'POST', '/v1/claims/batch', {
      claims,
    });
    if (rejected > 0) throw new Error(`${rejected} claims were rejected.`);
  }
}

const WORK = `SELECT FROM work_queue WHERE queue = ANY ($1) AND ready_at < now() + interval '1 minute'
  LIMIT 1`;

/** Waits until nothing is left to do soon in some queues: what is learned is learned anew every day. */
export async function untilIdle(
  { ownerUrl }: Pick<BenchHarness, 'ownerUrl'>,
  queues: readonly string[],
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const left = async (): Promise<boolean> => (await client.query(WORK, [queues])).rowCount !== 0;
    while (await left()) await new Promise((wake) => setTimeout(wake, 50));
  } finally {
    await client.end();
  }
}
