import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { distribute } from '../../../src/database/citus/distribute.js';
import { migrate } from '../../../src/database/migrate.js';
import { sqlState } from '../../../src/database/sqlState.js';
import { startEmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import { freePort } from '../../../src/database/embedded/freePort.js';
import { ALL_SCOPES } from '../../../src/domain/scopes.js';
import { CitusCluster } from '../../support/CitusCluster.js';
import { TEST_SECRETS_KEY } from '../../support/database.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../../support/records.js';
import type { SentStatement } from '../../support/recordStatements.js';
import { Running } from '../../support/Running.js';
import { TestPartner } from '../../support/TestPartner.js';
import { TEST_ADMIN_KEY, testEnvironment } from '../../support/TestService.js';
import { withRecords } from '../proofTable.js';
import { proveGrowth } from './proveGrowth.js';
import { replayStatements } from './replayStatements.js';
import { Workload } from './Workload.js';

/** What the service's own tests of its main job are. */
const JOURNEYS = ['dist/test/rest/*.test.js', 'dist/test/journeys/*.test.js', 'dist/test/graphql/*.test.js'];
/** These put triggers of their own on a table, which Citus refuses. */
const NOT_ON_CITUS = 'shows an accepted event rejected when consent|what a service writes about its work';

/** Subscriptions look again each second there. */
const LIVE = ['dist/test/live/subscriptions.test.js'];

const SHARDS = 8;
const DOCUMENT = 'docs/proofs.md';

const { CITUS: installation, CITUS_PARTS: parts = 'journeys,live,faults,cost,nodes' } = process.env;
if (!installation)
  throw new Error('Set CITUS to the folder of a PostgreSQL that has Citus (docs/operations.md).');

const cluster = new CitusCluster(installation);
const running: Running[] = [];
const failures: string[] = [];
/** What is told in docs/proofs.md. */
const figures: string[] = [];
let checked = 0;
try {
  await cluster.start(2);
  const { serviceUrl } = await migrate(cluster.ownerUrl, TEST_SECRETS_KEY);
  await proveGrowth({ cluster, serviceUrl, shards: SHARDS, check, serving });
  if (parts.includes('journeys')) await proveJourneys(serviceUrl);
  if (parts.includes('live')) check('subscriptions', runTests(LIVE) === 0);
  if (parts.includes('faults')) await proveFaults();
  if (parts.includes('cost')) await measureCost();
} finally {
  for (const service of running) {
    if (service.child.exitCode !== null) check('no gateway ended', false, service.output.slice(-2000));
    await service.end('SIGKILL');
  }
  cluster.stop();
}
if (parts.includes('nodes')) await measureNodes();
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

async function serving(work: (url: string) => Promise<void>): Promise<void> {
  const { url, service } = await startGateway(cluster.ownerUrl, 'all');
  await work(url);
  await service.end('SIGTERM');
  running.splice(running.indexOf(service), 1);
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
  check('the journeys pass', runTests(JOURNEYS, { RECORD_STATEMENTS: file }) === 0);
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

function runTests(files: readonly string[], env: NodeJS.ProcessEnv = {}): number | null {
  const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '300000'];
  const args = [...mocha, '--grep', NOT_ON_CITUS, '--invert', ...files];
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, TEST_CITUS_URLS: cluster.adminUrls.join(), ...env },
    stdio: 'inherit',
  });
  return status;
}

async function startGateway(
  databaseUrl: string,
  role: 'all' | 'gateway',
): Promise<{ url: string; service: Running }> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    ...testEnvironment(port, databaseUrl, { ROLE: role, POOL_SIZE: '12', LOG_LEVEL: 'warn' }),
  };
  const service = new Running(
    spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  running.push(service);
  await service.until('is ready at');
  return { url: `http://127.0.0.1:${port}`, service };
}

async function makeApps(url: string, count: number): Promise<TestPartner[]> {
  const admin = new TestPartner(url, { 'x-service-admin-key': TEST_ADMIN_KEY });
  const apps: TestPartner[] = [];
  for (let index = 0; index < count; index += 1) {
    const fields = {
      name: `App ${index}`,
      redirect_uris: ['https://partner.example/callback'],
      allowed_scopes: ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
    };
    const { app_id: appId, client_secret: clientSecret } = expectStatus(
      await admin.rest('POST', '/v1/apps', fields),
      201,
    ) as { app_id: string; client_secret: string };
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${appId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    apps.push(new TestPartner(url, { authorization: `Bearer ${token}` }, { appId, clientSecret }));
  }
  return apps;
}

/** Under load Citus may cancel what moves a shard, as a deadlock: an operator runs it again. */
async function untilNoDeadlock(statement: string): Promise<void> {
  for (;;) {
    try {
      await cluster.sql(statement);
      return;
    } catch (error) {
      if (sqlState(error) !== '40P01') throw error;
      console.log('     cancelled as a deadlock, and run again');
    }
  }
}

interface Placement {
  shardid: string;
  port: number;
}

/** Where the customers of an app are. */
async function placeOf(appId: string): Promise<Placement> {
  const [place] = await cluster.sql<Placement>(
    `SELECT s.shardid, n.nodeport AS port FROM pg_dist_placement s JOIN pg_dist_node n USING (groupid)
      WHERE s.shardid = get_shard_id_for_distribution_column('customers', '${appId}')`,
  );
  if (place === undefined) throw new Error('The app has no shard.');
  return place;
}

/** Load through three gateways while a worker is killed, a shard moves and an app gets a shard of its own. */
async function proveFaults(): Promise<void> {
  const gateways = [];
  for (const role of ['all', 'gateway', 'gateway'] as const)
    gateways.push((await startGateway(cluster.ownerUrl, role)).url);
  const apps = await makeApps(gateways[0] ?? '', 8);
  const load = new Workload(gateways);
  await load.prepare(apps, 2);
  load.start();
  await sleep(5000);
  check('nothing fails without a fault', load.counts.unavailable === 0 && load.counts.wrong.length === 0);

  const before = { ...load.counts };
  const [here, there] = await appsByNode(apps);
  cluster.kill(2);
  await sleep(6000);
  check(
    'apps of the lost worker are answered 503',
    load.counts.unavailable > before.unavailable,
    load.counts.unavailable,
  );
  await othersAreRead(here, there);
  cluster.restart(2);
  const back = performance.now();
  await healed(there);
  figures.push(`a killed worker's apps healed after ${Math.round(performance.now() - back)} ms`);
  console.log(`     ${figures.at(-1)}`);

  const [first, second] = [here[0] ?? apps[0], here[1] ?? apps[1]] as [TestPartner, TestPartner];
  const { shardid, port } = await placeOf(first.appId);
  const target = [cluster.portOf(1), cluster.portOf(2)].find((other) => other !== port) ?? 0;
  const moving = performance.now();
  await untilNoDeadlock(
    `SELECT citus_move_shard_placement(${shardid}, '127.0.0.1', ${port}, '127.0.0.1', ${target},
      'block_writes')`,
  );
  check(
    'a shard moved under load',
    (await placeOf(first.appId)).port === target,
    `${Math.round(performance.now() - moving)} ms`,
  );

  const isolating = performance.now();
  await untilNoDeadlock(
    `SELECT isolate_tenant_to_new_shard('customers', '${second.appId}', 'CASCADE', 'block_writes')`,
  );
  const own = await placeOf(second.appId);
  const alone = await Promise.all(
    apps.map(async ({ appId }) => (await placeOf(appId)).shardid === own.shardid),
  );
  check(
    'an app has a shard of its own',
    alone.filter(Boolean).length === 1,
    `${Math.round(performance.now() - isolating)} ms`,
  );
  const [{ triggers } = { triggers: 0 }] = await cluster.sql<{ triggers: number }>(
    `SELECT count(*)::integer AS triggers FROM run_command_on_shards('customers',
       $$SELECT count(*) FROM pg_trigger WHERE tgrelid = '%s'::regclass AND NOT tgisinternal$$) WHERE result::integer <> 1`,
  );
  check('every shard has its triggers', triggers === 0, triggers === 0 ? '' : triggers);

  await sleep(5000);
  await load.stop();
  const { counts } = load;
  figures.push(
    `${counts.reads} reads, ${counts.revocations} revocations, ${counts.claims} claims, ${counts.unavailable} times 503, ${counts.stale} stale`,
  );
  console.log(`     ${figures.at(-1)}`);
  check(
    'every other answer was as it should be',
    counts.wrong.length === 0,
    counts.wrong.slice(0, 5).join('\n     '),
  );
  check('no read was stale', counts.stale === 0, counts.stale);
  await queueEmpties();
  const lost = await load.lost();
  check('no accepted claim was lost', lost === 0, lost);
  for (const service of running.splice(0)) await service.end('SIGTERM');
}

/** Apps on the first worker, and those on the second. */
async function appsByNode(apps: readonly TestPartner[]): Promise<[TestPartner[], TestPartner[]]> {
  const ports = await Promise.all(apps.map(async ({ appId }) => (await placeOf(appId)).port));
  const on = (port: number): TestPartner[] => apps.filter((_app, place) => ports[place] === port);
  return [on(cluster.portOf(1)), on(cluster.portOf(2))];
}

/** Apps elsewhere go on, reads and writes; those of the lost node are told so. */
async function othersAreRead(here: readonly TestPartner[], there: readonly TestPartner[]): Promise<void> {
  const statuses = async (apps: readonly TestPartner[]): Promise<string> => {
    const seen = new Set<number>();
    for (const app of apps) seen.add((await app.rest('GET', '/v1/customers')).status);
    return [...seen].join();
  };
  check('the other apps are read meanwhile', (await statuses(here)) === '200');
  const written = new Set<number>();
  for (const app of here) {
    const customer = await makeCustomer(app, { external_id: 'meanwhile' });
    const receipt = await grant(app, customer, 'personalization');
    const paths = ['/v1/claims', `/v1/consent-receipts/${receipt}/revoke`];
    for (const path of paths)
      written.add((await app.rest('POST', path, path === '/v1/claims' ? claimBody(customer) : {})).status);
  }
  check('and written', [...written].join() === '202', [...written].join());
  check('those of the lost worker are told 503', (await statuses(there)) === '503');
}

async function healed(apps: readonly TestPartner[]): Promise<void> {
  const end = performance.now() + 60_000;
  for (const app of apps)
    while ((await app.rest('GET', '/v1/customers')).status !== 200)
      if (performance.now() > end) return check('the apps are back', false);
  check('the apps are back', true);
}

async function queueEmpties(): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const rows = await cluster.sql<{ waiting: string }>(
      `SELECT count(*) AS waiting FROM work_queue WHERE queue = 'customer'`,
    );
    if (Number(rows[0]?.waiting) === 0) return check('the queue empties', true);
    if (performance.now() > end) return check('the queue empties', false, rows[0]?.waiting);
    await sleep(200);
  }
}

/** The same on clusters of one, two and three nodes; of one, the coordinator has the shards. */
async function measureNodes(): Promise<void> {
  for (const workers of [0, 1, 2]) {
    const own = new CitusCluster(installation ?? '');
    try {
      await own.start(workers);
      await migrate(own.ownerUrl, TEST_SECRETS_KEY);
      await distribute(own.adminUrls[0] ?? '', { shards: SHARDS });
      await costOn(`${workers + 1} nodes`, own.ownerUrl, () => Promise.resolve(own.cpuMs));
    } finally {
      own.stop();
    }
  }
}

/** Processor time of database and gateway for one request, on plain PostgreSQL and on the cluster, one after the other. */
async function measureCost(): Promise<void> {
  const embedded = await startEmbeddedPostgres({
    dataDir: `${process.env['TMPDIR'] ?? '/tmp'}/citus-plain-${process.pid}`,
    log: { info: () => undefined, warn: () => undefined },
  });
  try {
    for (const round of [1, 2]) {
      console.log(`\n     round ${round}: CPU of one request in ms`);
      await costOn('PostgreSQL', embedded.url, () => cpuOfChildren(embedded.url));
      await costOn('Citus', cluster.ownerUrl, () => Promise.resolve(cluster.cpuMs));
    }
  } finally {
    await embedded.stop();
  }
}

async function costOn(name: string, databaseUrl: string, databaseCpu: () => Promise<number>): Promise<void> {
  const { url, service } = await startGateway(databaseUrl, 'all');
  const [app] = await makeApps(url, 1);
  if (app === undefined) return;
  const customer = await makeCustomer(app, { external_id: 'measured' });
  await grant(app, customer, 'personalization');
  expectStatus(await app.rest('POST', '/v1/claims', claimBody(customer)), 202);
  await sleep(1000);
  const parts: [string, () => Promise<unknown>, number][] = [
    ['profile', () => app.rest('GET', `/v1/profiles/${customer}`), 400],
    ['claims page', () => app.rest('GET', `/v1/profiles/${customer}/claims`), 200],
    ['claim', () => app.rest('POST', '/v1/claims', claimBody(customer)), 100],
  ];
  for (const [part, request, times] of parts) {
    for (let warm = 0; warm < 20; warm += 1) await request();
    const [cpu, own, begun] = [await databaseCpu(), gatewayCpu(service), performance.now()];
    for (let sent = 0; sent < times; sent += 1) await request();
    const took = (performance.now() - begun) / times;
    await sleep(500);
    const database = ((await databaseCpu()) - cpu) / times;
    const gateway = (gatewayCpu(service) - own) / times;
    console.log(
      `     ${name.padEnd(10)} ${part.padEnd(12)} database ${database.toFixed(2)}, gateway ${gateway.toFixed(2)}, took ${took.toFixed(1)}`,
    );
  }
  await service.end('SIGTERM');
  running.splice(running.indexOf(service), 1);
}

function gatewayCpu({ child }: Running): number {
  return ticksOf(child.pid ?? 0);
}

async function cpuOfChildren(url: string): Promise<number> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
    );
    const [{ postmaster } = { postmaster: 0 }] = rows.map(({ pid }) => ({ postmaster: parentOf(pid) }));
    return rows.reduce((sum, { pid }) => sum + ticksOf(pid), ticksOf(postmaster));
  } finally {
    await client.end();
  }
}

function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0);
}

/** Processor time in milliseconds, with that of children that ended. */
function ticksOf(pid: number): number {
  return (
    statOf(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) * 10
  );
}
