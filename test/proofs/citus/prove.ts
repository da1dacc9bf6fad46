import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { migrate } from '../../../src/database/migrate.js';
import { CitusCluster } from '../../support/CitusCluster.js';
import { TEST_SECRETS_KEY } from '../../support/database.js';
import type { SentStatement } from '../../support/recordStatements.js';
import { withRecords } from '../proofTable.js';
import { Gateways } from './Gateways.js';
import { measureCost, measureNodes } from './measureCost.js';
import { proveFaults } from './proveFaults.js';
import { proveGrowth } from './proveGrowth.js';
import { replayStatements } from './replayStatements.js';

/** What the service's own tests of its main job are. */
const JOURNEYS = [
  'dist/test/rest/*.test.js',
  'dist/test/journeys/*.test.js',
  'dist/test/graphql/*.test.js',
  'dist/test/commands/groups.test.js',
];
/**
 * These make triggers on a table or switch them off, which Citus refuses, or look for who waits for a lock,
 * which is seen on the shard's node alone.
 */
const NOT_ON_CITUS =
  'shows an accepted event rejected when consent|the log of a service|fails in PostgreSQL|After notices were lost|' +
  'loses access while it runs';

/** Subscriptions look again each second there. */
const LIVE = ['dist/test/live/*.test.js'];
const ORDER = ['dist/test/database/citus/requestLogOrder.test.js'];

const SHARDS = 8;
const DOCUMENT = 'docs/proofs.md';

const { CITUS: installation, CITUS_PARTS: parts = 'journeys,live,order,faults,cost,nodes' } = process.env;
if (!installation)
  throw new Error('Set CITUS to the folder of a PostgreSQL that has Citus (docs/operations.md).');

const cluster = new CitusCluster(installation);
const gateways = new Gateways();
const failures: string[] = [];
/** What is told in docs/proofs.md. */
const figures: string[] = [];
let checked = 0;
try {
  await cluster.start(2);
  const { serviceUrl } = await migrate(cluster.ownerUrl, { secretsKey: TEST_SECRETS_KEY });
  await proveGrowth({
    cluster,
    serviceUrl,
    shards: SHARDS,
    check,
    serving: (work) => gateways.serving(cluster.ownerUrl, ({ url }) => work(url)),
  });
  if (parts.includes('journeys')) await proveJourneys(serviceUrl);
  if (parts.includes('live')) proveTests('subscriptions', LIVE);
  if (parts.includes('order')) proveTests('the order over a move', ORDER);
  if (parts.includes('faults')) figures.push(...(await proveFaults({ cluster, gateways, check })));
  if (parts.includes('cost')) await measureCost(gateways, cluster);
} finally {
  for (const output of await gateways.stop()) check('no gateway ended', false, output);
  cluster.stop();
}
if (parts.includes('nodes')) await measureNodes(gateways, installation, SHARDS);
tell();
if (failures.length > 0) {
  console.error(`\nNot as promised:\n${failures.join('\n')}`);
  process.exitCode = 1;
}

/** Into the table of proofs, when all parts ran. */
function tell(): void {
  if (process.env['CITUS_PARTS'] !== undefined || failures.length > 0) return;
  const record = {
    proof: 'citus',
    injected:
      'rows before the tables are spread, later migrations, the tests of the main job, a worker killed, a shard moved and an app isolated under load',
    times: checked,
    checked: 'nothing lost, stale or doubled; every statement one task on one shard but those across apps',
    figure: figures.join('; '),
    broken: 'a statement whose parts share rows: writes of all apps 503 while a worker is lost',
  };
  const run = `whole, ${new Date().toISOString().slice(0, 10)}`;
  writeFileSync(DOCUMENT, withRecords(readFileSync(DOCUMENT, 'utf8'), [record], run));
}

function check(what: string, holds: boolean, seen: unknown = ''): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what} ${seen === '' ? '' : String(seen)}`);
  checked += 1;
  if (!holds) failures.push(`${what} ${String(seen)}`);
}

/** The service's own tests on the cluster, then what they made it send, planned statement by statement. */
async function proveJourneys(serviceUrl: string): Promise<void> {
  const room = mkdtempSync(join(tmpdir(), 'citus-statements-'));
  const file = join(room, 'sent');
  proveTests('the main job', JOURNEYS, { RECORD_STATEMENTS: file });
  const sent = deserialize(readFileSync(file)) as SentStatement[];
  rmSync(room, { recursive: true });
  const { fitting, across, deviating } = await replayStatements(serviceUrl, sent);
  for (const [reason, count] of across) console.log(`     ${count} statements ask every shard: ${reason}`);
  for (const text of deviating) console.log(`     ${text}`);
  check('every other statement is one task on one shard', deviating.length === 0, deviating.length);
  check('statements were planned', fitting > 150, fitting);
  figures.push(
    `${fitting} statements planned, ${[...across.values()].reduce((a, b) => a + b, 0)} across apps`,
  );
}

/** The service's own tests, and how many of them passed. */
function proveTests(what: string, files: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '300000'];
  const args = [...mocha, '--grep', NOT_ON_CITUS, '--invert', ...files];
  const { status, stdout } = spawnSync(process.execPath, args, {
    env: { ...process.env, TEST_CITUS_URLS: cluster.adminUrls.join(), ...env },
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  console.log(stdout);
  const [totals = 'no totals'] = /^\d+ passed, \d+ failed.*$/m.exec(stdout) ?? [];
  check(`the tests of ${what} pass`, status === 0, totals);
  figures.push(`${totals} (${what})`);
}
