import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../speed/ServerProcess.js';
import { Adversary } from './Adversary.js';
import { measureHang } from './measureHang.js';
import { percentile } from './percentile.js';
import { Tenant } from './Tenant.js';
import { timed } from './timed.js';

/**
 * `npm run bench:fairness [SECONDS]`: how much of one app's profile reads another app can take by doing its
 * worst within its limits, and how long a revocation takes under that, in one run: quiet and busy phases in
 * turn. Then how long reads take beside one whose statement hangs.
 */
const SECONDS = Number(process.argv[2] ?? 60);
const CUSTOMERS = 100;
const CLAIMS = 100;
interface Phase {
  reads: number[];
  revokes: number[];
  answers: ReadonlyMap<string, number>;
}

const dataDir = mkdtempSync(join(tmpdir(), 'bench-fairness-'));
const server = await ServerProcess.start(
  'ours',
  fileURLToPath(new URL('../speed/serveOurs.js', import.meta.url)),
  {
    NODE_ENV: 'production',
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_KEYS: Tenant.adminKey,
    SECRETS_KEY: 'bench-secrets-key-of-at-least-32-characters',
    LOG_LEVEL: 'warn',
  },
);
try {
  const [busy, quiet] = [
    await Tenant.register(server.port, 'busy'),
    await Tenant.register(server.port, 'quiet'),
  ];
  const ids: string[] = [];
  while (ids.length < CUSTOMERS) ids.push((await busy.customer(CLAIMS)).id);
  const { id } = await quiet.customer(12);
  await sleep(20_000);
  for (let warm = 0; warm < 200; warm += 1) await quiet.profile(id);
  const phases = { quiet: emptyPhase(), busy: emptyPhase() };
  for (const name of ['quiet', 'busy', 'quiet'] as const)
    await play(phases[name], name === 'busy' ? new Adversary(busy, ids) : undefined, quiet, id);
  report('beside an idle app', phases.quiet);
  report(`beside an app that does its worst within its limits`, phases.busy);
  const ratio = percentile(phases.busy.reads, 0.99) / percentile(phases.quiet.reads, 0.99);
  console.log(`p99 of the profile read moves by ${ratio.toFixed(1)} × (bar: 3)`);
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(await measureHang());

function emptyPhase(): Phase {
  return { reads: [], revokes: [], answers: new Map() };
}

async function play(
  phase: Phase,
  adversary: Adversary | undefined,
  quiet: Tenant,
  id: string,
): Promise<void> {
  const end = performance.now() + SECONDS * 1000;
  if (adversary !== undefined) phase.answers = adversary.answers;
  const reads = (async () => {
    while (performance.now() < end) {
      phase.reads.push(await timed(() => quiet.profile(id)));
      await sleep(10);
    }
  })();
  const revokes = (async () => {
    while (performance.now() < end) {
      const { receiptId } = await quiet.customer(0);
      phase.revokes.push(await timed(() => quiet.revoke(receiptId)));
      await sleep(500);
    }
  })();
  await Promise.all([adversary?.run(end), reads, revokes]);
}

function report(what: string, { reads, revokes, answers }: Phase): void {
  const told = (values: readonly number[]): string =>
    [0.5, 0.99, 0.9999].map((share) => percentile(values, share).toFixed(1)).join(' / ');
  console.log(
    `${what}: ${reads.length} profile reads, p50 / p99 / max ms ${told(reads)}; ${revokes.length} revocations ${told(revokes)}`,
  );
  if (answers.size > 0)
    console.log(`  its answers: ${[...answers].map(([what, count]) => `${count} × ${what}`).join(', ')}`);
}
