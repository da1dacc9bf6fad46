import pg from 'pg';
import type { BenchHarness } from './BenchHarness.js';
import { callService } from './callService.js';
import type { Call } from './callService.js';
import { median } from './median.js';
import { printTable } from './printTable.js';
import { makeClaim, makeEvent } from './writeTargets.js';

/** Items of one request, and the number of their customers. */
const BATCH = 100;
/** Concurrent batches. */
const CLIENTS = 8;
/**
 * Items of each kind that are taken in and applied before any is counted. A new gateway takes twice the
 * processor time for its first 5,000, most of it in V8's compiler.
 */
const WARM_UP = 10_000;

/** Said where the rates are printed. */
export const WARMED_UP = `Before it ${WARM_UP} of each kind were taken in and applied unmeasured.`;

export interface BatchPlan {
  ids: readonly string[];
  /** The number of items of each kind. */
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

/** Rates in items per second. */
export interface BatchRates {
  kind: Kind['name'];
  /** Accepted over HTTP while no worker runs. */
  accepted: number;
  /** Applied by one worker afterwards, its start included. */
  applied: number;
  /** Accepted and applied at the same time. */
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
    await warmUp(harness, kind, plan);
    const accepted = await send(harness, kind, plan);
    const started = performance.now();
    const worker = await harness.startWorker();
    await untilApplied(harness.ownerUrl);
    const applied = perSecond(plan, started);
    const both = performance.now();
    await send(harness, kind, plan);
    await untilApplied(harness.ownerUrl);
    rates.push({ kind: kind.name, accepted, applied, both: perSecond(plan, both) });
    await harness.stopServer(worker);
  }
  return rates;
}

/** Prints the medians of the rounds beside their aims. */
export function printBatches(rounds: readonly (readonly BatchRates[])[]): string {
  const rows = KINDS.flatMap(({ name, aims }) => {
    const rates = rounds.flatMap((round) => round.filter(({ kind }) => kind === name));
    const row = (what: string, phase: 'accepted' | 'applied' | 'both', aim?: number): (string | number)[] => {
      const found = rates.map((rate) => rate[phase]);
      const middle = median(found);
      const range = `${middle} (${Math.min(...found)}–${Math.max(...found)})`;
      return [`${name}, ${what}`, range, aim ?? '', aim === undefined ? '' : told(middle, aim)];
    };
    return [
      row('accepted, the worker apart', 'accepted', aims.accepted),
      row('applied by one worker, its start included', 'applied'),
      row('accepted and applied', 'both', aims.both),
    ];
  });
  return printTable(['', 'items/s', 'aim', ''], rows);
}

function told(value: number, least: number): string {
  return value >= least ? 'met' : '**missed**';
}

function perSecond({ items }: BatchPlan, started: number): number {
  return Math.round((items / (performance.now() - started)) * 1000);
}

/** Sends as the first counted phase does, without a worker. Nothing of it is left to the counted phases. */
async function warmUp(harness: BenchHarness, kind: Kind, { ids }: BatchPlan): Promise<void> {
  await send(harness, kind, { ids, items: WARM_UP });
  const worker = await harness.startWorker();
  await untilApplied(harness.ownerUrl);
  await harness.stopServer(worker);
  await asOwner(harness.ownerUrl, (client) => client.query(FORGET_LEARNING));
}

/** Claims ask for learning, due in five seconds. The counted claims ask again, as if they were the first. */
const FORGET_LEARNING = `DELETE FROM work_queue WHERE queue = 'learning' AND subject ~ '^[0-9]+$'`;

/** Sends claims while no worker applies them. */
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

/** Waits until all items are applied. */
export async function untilApplied(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    const waits = async (): Promise<boolean> =>
      (await client.query(`SELECT FROM work_queue WHERE queue = 'customer' LIMIT 1`)).rowCount !== 0;
    while (await waits()) await new Promise((wake) => setTimeout(wake, 20));
  });
}

async function asOwner(ownerUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
