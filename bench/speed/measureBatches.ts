import pg from 'pg';
import type { BenchHarness } from './BenchHarness.js';
import { callService } from './callService.js';
import type { Call } from './callService.js';
import { printTable } from './printTable.js';
import { makeClaim, makeEvent } from './writeTargets.js';

/** Items of one request; customers that they are of. */
const BATCH = 100;
/** Batches under way at the same time. */
const CLIENTS = 8;

export interface BatchPlan {
  ids: readonly string[];
  /** Of each kind. */
  items: number;
}

interface Kind {
  name: 'claims' | 'events';
  path: string;
  make: (customerId: string) => object;
  aims: { accepted: number; both: number };
}

const CLAIMS: Kind = {
  name: 'claims',
  path: '/v1/claims/batch',
  make: makeClaim,
  aims: { accepted: 15_000, both: 6000 },
};
const KINDS: readonly Kind[] = [
  CLAIMS,
  { name: 'events', path: '/v1/events/batch', make: makeEvent, aims: { accepted: 20_000, both: 10_000 } },
];

/** Items a second. */
export interface BatchRates {
  kind: Kind['name'];
  aims: Kind['aims'];
  /** Taken in by HTTP without a worker. */
  accepted: number;
  /** Of those, by one worker; its start included. */
  applied: number;
  /** Taken in and applied at once. */
  both: number;
}

/** The rates of claims, then of events. */
export async function measureBatches(
  harness: BenchHarness,
  plan: BatchPlan,
  say: (line: string) => void,
): Promise<BatchRates[]> {
  const rates: BatchRates[] = [];
  for (const kind of KINDS) {
    say(`${plan.items} ${kind.name} in batches of ${BATCH} …`);
    const accepted = await send(harness, kind, plan);
    const started = performance.now();
    const worker = await harness.startWorker();
    await untilApplied(harness.ownerUrl);
    const applied = perSecond(plan, started);
    const both = performance.now();
    await send(harness, kind, plan);
    await untilApplied(harness.ownerUrl);
    rates.push({ kind: kind.name, aims: kind.aims, accepted, applied, both: perSecond(plan, both) });
    await harness.stopServer(worker);
  }
  return rates;
}

/** The rates beside their aims. */
export function printBatches(rates: readonly BatchRates[]): string {
  const rows = rates.flatMap(({ kind, aims, accepted, applied, both }) => [
    [`${kind}, accepted, the worker apart`, accepted, aims.accepted, told(accepted, aims.accepted)],
    [`${kind}, applied by one worker, its start included`, applied, '', ''],
    [`${kind}, accepted and applied`, both, aims.both, told(both, aims.both)],
  ]);
  return printTable(['', 'items/s', 'aim', ''], rows);
}

function told(value: number, least: number): string {
  return value >= least ? 'met' : '**missed**';
}

function perSecond({ items }: BatchPlan, started: number): number {
  return Math.round((items / (performance.now() - started)) * 1000);
}

/** Has claims accepted that nobody applies yet. */
export async function acceptClaims(harness: BenchHarness, plan: BatchPlan): Promise<void> {
  await send(harness, CLAIMS, plan);
}

/** @returns items accepted per second */
async function send(harness: BenchHarness, { name, path, make }: Kind, plan: BatchPlan): Promise<number> {
  const call: Call = { port: harness.ours.port, token: await harness.token(), expect: 202 };
  let left = Math.ceil(plan.items / BATCH);
  const started = performance.now();
  const client = async (): Promise<void> => {
    while ((left -= 1) >= 0) {
      const first = Math.floor(Math.random() * plan.ids.length);
      const items = Array.from({ length: BATCH }, (_, at) =>
        make(plan.ids[(first + at) % plan.ids.length] ?? ''),
      );
      const { accepted } = await callService<{ accepted: number }>(call, 'POST', path, { [name]: items });
      if (accepted !== BATCH) throw new Error(`Only ${accepted} of ${BATCH} ${name} were accepted.`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return perSecond(plan, started);
}

/** Waits until no item waits. */
export async function untilApplied(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const waits = async (): Promise<boolean> =>
      (await client.query(`SELECT FROM work_queue WHERE queue = 'customer' LIMIT 1`)).rowCount !== 0;
    while (await waits()) await new Promise((wake) => setTimeout(wake, 20));
  } finally {
    await client.end();
  }
}
