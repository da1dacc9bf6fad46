import pg from 'pg';
import type { BenchHarness } from './BenchHarness.js';
import { allCpu, measureLoad } from './measureLoad.js';
import type { Sample } from './measureLoad.js';
import { median } from './median.js';
import { playRounds } from './playRounds.js';
import type { Played } from './playRounds.js';
import { printTable } from './printTable.js';
import { ratioOf } from './ratioOf.js';
import type { ServerProcess } from './ServerProcess.js';
import type { Settings } from './settingsFrom.js';
import { WRITE_GROUPS, WRITE_TARGETS, postBytes } from './writeTargets.js';
import type { WriteGroup, WriteTarget } from './writeTargets.js';

/**
 * What the service was to reach beside writes by hand, in requests/s and in processor time; of their p99,
 * twice.
 */
const LEAST = 0.5;

const STATUS: Record<WriteGroup, number> = { customers: 201, receipts: 201, claims: 202, events: 202 };

const HEADER = [
  '',
  'requests/s',
  'ratio to by hand',
  'CPU ratio',
  'CPU ms a request',
  "PostgreSQL's",
  'p50 ms',
  'p99 ms',
  'p99 ratio',
];

/**
 * Single writes of the service beside hand-written ones that leave the same rows, in turns; the worker does
 * not run.
 */
export async function compareWrites(
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
  say: (line: string) => void,
): Promise<string> {
  const token = await harness.token();
  const byHand = await harness.startPeer('writes', token);
  const servers = { ours: harness.ours, writes: byHand };
  const played = await playRounds({
    ...settings,
    contestants: WRITE_TARGETS,
    measure: (target, extent) => {
      const server = servers[target.server];
      const { group } = target;
      const { path, body } = WRITE_GROUPS[group];
      const next = (): Buffer =>
        postBytes(path, token, body(ids[Math.floor(Math.random() * ids.length)] ?? ''));
      const { connections } = settings;
      const plan = { port: server.port, connections, ...extent, next, status: STATUS[group] };
      return measureLoad(plan, meterOf(server, harness));
    },
    progress: say,
  });
  await harness.stopServer(byHand);
  return printWrites(played);
}

function meterOf(
  server: ServerProcess,
  harness: BenchHarness,
): { server: () => Promise<number>; database: () => number } {
  return { server: () => server.cpuMs(), database: () => harness.databaseCpuMs() };
}

/** Makes `entry-0` to `entry-9` of an app, which events are about. */
export async function seedEntries({
  ownerUrl,
  appId,
}: Pick<BenchHarness, 'ownerUrl' | 'appId'>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO ontologies (app_id, ontology_id, name, version, fields, identity_fields, created_at,
        updated_at)
       VALUES ($1, 'bench', 'Bench', '1', '[]', '{}', now(), now())`,
      [appId],
    );
    await client.query(
      `INSERT INTO entries (app_id, entry_id, ontology_id, fields, checksum, created_at, updated_at)
       SELECT $1, 'entry-' || place, 'bench', '{}', 'sha256:bench', now(), now()
         FROM generate_series(0, 9) AS place`,
      [appId],
    );
  } finally {
    await client.end();
  }
}

function printWrites(played: readonly Played<WriteTarget>[]): string {
  const tables = Object.entries(WRITE_GROUPS).map(([group, { path }]) => {
    const own = played.filter(({ contestant }) => contestant.group === group);
    const base = own.find(({ contestant }) => contestant.server === 'writes')?.samples ?? [];
    return `#### POST ${path}\n\n${printTable(
      HEADER,
      own.map((row) => printRow(row, base)),
    )}`;
  });
  return `${tables.join('\n')}\n${printAims(played)}`;
}

function printRow(
  { contestant, samples }: Played<WriteTarget>,
  base: readonly Sample[],
): (string | number)[] {
  const middle = (name: keyof Sample): number => median(samples.map((sample) => sample[name]));
  return [
    contestant.name,
    Math.round(middle('perSecond')),
    ratioOf(samples, base, (own, hand) => own.perSecond / hand.perSecond).text,
    ratioOf(samples, base, (own, hand) => allCpu(hand) / allCpu(own)).text,
    middle('cpuMsPerRequest').toFixed(3),
    middle('databaseMsPerRequest').toFixed(3),
    middle('p50').toFixed(1),
    middle('p99').toFixed(1),
    ratioOf(samples, base, (own, hand) => own.p99 / hand.p99).text,
  ];
}

function printAims(played: readonly Played<WriteTarget>[]): string {
  const groups = Object.keys(WRITE_GROUPS).map((group) => {
    const samplesOf = (server: string): Sample[] =>
      played.find(({ contestant }) => contestant.group === group && contestant.server === server)?.samples ??
      [];
    const [own, hand] = [samplesOf('ours'), samplesOf('writes')];
    const speed = ratioOf(own, hand, (a, b) => a.perSecond / b.perSecond).median;
    const cpu = ratioOf(own, hand, (a, b) => allCpu(b) / allCpu(a)).median;
    const slowest = ratioOf(own, hand, (a, b) => a.p99 / b.p99).median;
    const met = speed >= LEAST && cpu >= LEAST && slowest <= 1 / LEAST;
    return `${group} ${met ? 'met' : '**missed**'}`;
  });
  return `Aim: at least ${LEAST} × in requests/s and in processor time (server and PostgreSQL together), a p99 of at most ${1 / LEAST} ×: ${groups.join(', ')}.\n`;
}
