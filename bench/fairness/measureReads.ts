import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchHarness } from '../speed/BenchHarness.js';
import { untilApplied } from '../speed/measureBatches.js';
import type { LoopDelay, ServerProcess } from '../speed/ServerProcess.js';
import { Adversary } from './Adversary.js';
import { percentile } from './percentile.js';
import { Tenant } from './Tenant.js';
import { timed } from './timed.js';

const CUSTOMERS = 100;
const CLAIMS = 100;

/** What an app measures of itself, and what the processes used meanwhile. */
interface Phase {
  reads: number[];
  revokes: number[];
  answers: string[];
  used: Used[];
  loop: LoopDelay[];
}

/** Processor time in milliseconds. */
interface Used {
  service: number;
  database: number;
  adversary: number;
  reader: number;
}

/**
 * An app reads and revokes, beside an idle one and beside one that does its worst, in turn: the service runs
 * as `npm start` runs it, with its limits; each app's client is a process of its own, as it is outside.
 *
 * @param habits of the adversary; absent: all
 */
export async function measureReads(
  harness: BenchHarness,
  seconds: number,
  habits: readonly string[] | undefined,
): Promise<string> {
  const server = await harness.startWhole({ RATE_LIMITS: '' });
  const [busy, quiet] = [
    await Tenant.register(server.port, 'busy'),
    await Tenant.register(server.port, 'quiet'),
  ];
  const ids: string[] = [];
  while (ids.length < CUSTOMERS) ids.push((await busy.customer(CLAIMS)).id);
  const { id } = await quiet.customer(12);
  await untilApplied(harness.ownerUrl);
  for (let warm = 0; warm < 1000; warm += 1) await quiet.profile(id);
  const adversary = await Adversary.start(busy, ids, habits);
  const phases = { quiet: emptyPhase(), busy: emptyPhase() };
  try {
    const players = { harness, server, adversary, quiet, id };
    for (const name of ['quiet', 'busy', 'quiet'] as const) {
      // What the adversary left to do is none of the idle app's.
      await untilApplied(harness.ownerUrl);
      await play(phases[name], players, name === 'busy' ? seconds : seconds / 2, name === 'busy');
    }
  } finally {
    await adversary.stop();
  }
  return report(phases);
}

interface Players {
  harness: BenchHarness;
  server: ServerProcess;
  adversary: Adversary;
  quiet: Tenant;
  id: string;
}

async function play(phase: Phase, players: Players, seconds: number, isBusy: boolean): Promise<void> {
  const { server, adversary, quiet, id } = players;
  const before = usedBy(players);
  await server.loopDelay();
  const end = performance.now() + seconds * 1000;
  const acting = isBusy ? adversary.run(seconds) : Promise.resolve([]);
  await Promise.all([
    untilThen(end, 10, async () => void phase.reads.push(await timed(() => quiet.profile(id)))),
    untilThen(end, 500, async () => {
      const { receiptId } = await quiet.customer(0);
      phase.revokes.push(await timed(() => quiet.revoke(receiptId)));
    }),
  ]);
  phase.loop.push(await server.loopDelay());
  const after = usedBy(players);
  phase.used.push({
    service: (after.service - before.service) / seconds,
    database: (after.database - before.database) / seconds,
    adversary: (after.adversary - before.adversary) / seconds,
    reader: (after.reader - before.reader) / seconds,
  });
  phase.answers.push(...(await acting));
}

async function untilThen(end: number, pauseMs: number, act: () => Promise<void>): Promise<void> {
  while (performance.now() < end) {
    await act();
    await sleep(pauseMs);
  }
}

function usedBy({ harness, server, adversary }: Players): Used {
  const { user, system } = process.cpuUsage();
  return {
    service: server.treeCpuMs(),
    database: harness.databaseCpuMs(),
    adversary: adversary.cpuMs(),
    reader: (user + system) / 1000,
  };
}

function emptyPhase(): Phase {
  return { reads: [], revokes: [], answers: [], used: [], loop: [] };
}

function report({ quiet, busy }: { quiet: Phase; busy: Phase }): string {
  const ratio = percentile(busy.reads, 0.99) / percentile(quiet.reads, 0.99);
  return [
    `beside an idle app: ${told(quiet)}`,
    `beside an app that does its worst within its limits: ${told(busy)}`,
    `  its answers: ${busy.answers.join('; ')}`,
    `p99 of the profile read moves by ${ratio.toFixed(2)} × (bar: 3)`,
  ].join('\n');
}

function told({ reads, revokes, used, loop }: Phase): string {
  const times = (values: readonly number[]): string =>
    [0.5, 0.99, 0.9999].map((share) => percentile(values, share).toFixed(1)).join(' / ');
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);
  const processors = (['service', 'database', 'adversary', 'reader'] as const).map(
    (name) => `${name} ${mean(used.map((one) => one[name]))}`,
  );
  return `${reads.length} profile reads, p50 / p99 / max ms ${times(reads)}; \
${revokes.length} revocations ${times(revokes)}
  processor ms a second: ${processors.join(', ')}; loop taken, p99.9 and max ms: \
${mean(loop.map(({ p999 }) => p999))}, ${Math.max(...loop.map(({ max }) => max)).toFixed(1)}`;
}
