import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchHarness } from '../speed/BenchHarness.js';
import { percentile } from './percentile.js';
import { Tenant } from './Tenant.js';
import { timed } from './timed.js';

const APPS = 16;
const STOPS = 20;
const STOP_MS = 500;
/** Between the reads of an app. */
const PAUSE_MS = 10;
/** A read that took as long was the one whose statement hung: PostgreSQL answers it when it goes on. */
const HUNG_MS = STOP_MS / 2;

/** The process of PostgreSQL that a read of a profile used last. */
const LAST_READER = `SELECT pid FROM pg_stat_activity
  WHERE application_name = 'consent-profile-service' AND query LIKE 'WITH gate AS MATERIALIZED%'
  ORDER BY query_start DESC LIMIT 1`;

/** How long reads of other apps take while the statement of one hangs: its process is stopped by a signal. */
export async function measureHang(harness: BenchHarness): Promise<string> {
  const owner = new pg.Client({ connectionString: harness.ownerUrl });
  try {
    await owner.connect();
    const readers: Reader[] = [];
    for (let index = 0; index < APPS; index += 1) {
      const tenant = await Tenant.register(harness.ours.port, `reader ${index}`);
      readers.push({ tenant, id: (await tenant.customer(12)).id });
    }
    await readWhile(readers, () => sleep(2000));
    const quiet = await readWhile(readers, () => sleep(STOPS * STOP_MS * 2));
    const hanging = await readWhile(readers, () => stopReaders(owner));
    return report(quiet, hanging);
  } finally {
    await owner.end();
  }
}

interface Reader {
  tenant: Tenant;
  id: string;
}

/** Milliseconds of every read while the work lasts: each app reads its profile over and over. */
async function readWhile(readers: readonly Reader[], work: () => Promise<void>): Promise<number[]> {
  const done = new AbortController();
  const times: number[] = [];
  const reading = readers.map(async ({ tenant, id }) => {
    while (!done.signal.aborted) {
      times.push(await timed(() => tenant.profile(id)));
      await sleep(PAUSE_MS);
    }
  });
  await work().finally(() => done.abort());
  await Promise.all(reading);
  return times;
}

async function stopReaders(owner: pg.Client): Promise<void> {
  for (let stop = 0; stop < STOPS; stop += 1) {
    const { rows } = await owner.query<{ pid: number }>(LAST_READER);
    const [reader] = rows;
    if (reader === undefined) throw new Error('No process of PostgreSQL reads profiles.');
    process.kill(reader.pid, 'SIGSTOP');
    await sleep(STOP_MS).finally(() => process.kill(reader.pid, 'SIGCONT'));
    await sleep(STOP_MS);
  }
}

function report(quiet: readonly number[], hanging: readonly number[]): string {
  const others = hanging.filter((ms) => ms < HUNG_MS);
  const told = (times: readonly number[]): string =>
    [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1)).join(' / ');
  const [before, delay] = [quiet, others].map((times) =>
    (percentile(times, 1) - percentile(quiet, 0.5)).toFixed(1),
  );
  return `reads of ${APPS} apps, p50 / p99 / max ms: ${told(quiet)}
while a process of PostgreSQL is stopped ${STOPS} times for ${STOP_MS} ms: ${told(others)}; \
${hanging.length - others.length} reads hung (bar: ${STOPS}), nobody else took more than ${delay} ms longer than \
the median of before (bar: 50; before: ${before})`;
}
