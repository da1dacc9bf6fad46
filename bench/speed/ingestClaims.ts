import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchHarness } from './BenchHarness.js';
import { callService } from './callService.js';
import type { Call } from './callService.js';

export interface IngestPlan {
  customers: number;
  /** The number of claims of each customer. */
  claims: number;
  /** The number of sources of each fact. */
  sources: number;
}

export interface Ingested {
  ids: string[];
  claims: number;
  /** The time until the last claim was accepted. */
  acceptSeconds: number;
  /** The time from then until the last claim was applied. */
  applySeconds: number;
}

const FACTS = 10;
const BATCH = 500;
/** Concurrent batches. */
const CLIENTS = 4;
const AT = Date.parse('2026-11-01T08:00:00.000Z');

/**
 * Creates customers and sends their claims over REST, then waits until a worker has applied the claims and
 * learned from them.
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

/** Creates a customer with a receipt for the purpose of its claims. */
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
    // One source of each fact disagrees with the others.
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

/** Waits until nothing in some queues is due soon. Learning is due again every day. */
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
