import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../../src/database/Database.js';
import { sqlState } from '../../../src/database/sqlState.js';
import type { CitusCluster } from '../../support/CitusCluster.js';
import { claimBody, grant, makeCustomer } from '../../support/records.js';
import { registerApp } from '../../support/registerApp.js';
import type { TestPartner } from '../../support/TestPartner.js';
import type { Check } from './Check.js';
import type { Gateways } from './Gateways.js';
import { Workload } from './Workload.js';
import type { StaleRead } from './Workload.js';

const APPS = 8;
const PEOPLE = 2;
const KILLED = 2;

export interface Faults {
  cluster: CitusCluster;
  gateways: Gateways;
  check: Check;
}

/**
 * Load through three gateways while a worker is killed, a shard moves and an app gets a shard of its own.
 *
 * @returns what was seen, as it is told in docs/proofs.md
 */
export async function proveFaults({ cluster, gateways, check }: Faults): Promise<string[]> {
  const started = [];
  for (const role of ['all', 'gateway', 'gateway'] as const)
    started.push(await gateways.start(cluster.ownerUrl, role));
  const urls = started.map(({ url }) => url);
  const newApp = (): Promise<TestPartner> => registerApp(urls[0] ?? '');
  const apps = await makeAppsOfBothNodes(cluster, await moveWaits(cluster, await newApp(), check), newApp);
  const load = new Workload(urls);
  await load.prepare(apps, PEOPLE);
  load.onStale = (stale) => explainStale(stale, cluster);
  const begun = performance.now();
  load.start();
  await sleep(5000);
  check('nothing fails without a fault', load.counts.unavailable === 0 && load.counts.wrong.length === 0);
  const rounds = load.counts.rounds;

  const [here, there] = await appsByNode(cluster, apps);
  const seen = [await loseWorker(cluster, load, here, there, check)];
  check('rounds went on meanwhile', load.counts.rounds > rounds, `${rounds}, then ${load.counts.rounds}`);
  const [first, second] = [here[0] ?? apps[0], here[1] ?? apps[1]] as [TestPartner, TestPartner];
  seen.push(await moveShard(cluster, first, check));
  seen.push(await isolate(cluster, second, apps, check));

  await sleep(5000);
  await load.stop();
  const { counts } = load;
  const seconds = Math.round((performance.now() - begun) / 1000);
  seen.push(
    `in ${seconds} s ${counts.rounds} rounds of 3 claims (${counts.claims}), ${counts.reads} reads, ` +
      `${counts.revocations} revocations, ${counts.unavailable} times 503, ${counts.stale} stale`,
  );
  console.log(seen.map((line) => `     ${line}`).join('\n'));
  check('every other answer was as it should be', counts.wrong.length === 0, counts.wrong.length);
  for (const wrong of counts.wrong) explain(wrong, cluster, gateways);
  check('no read was stale', counts.stale === 0, counts.stale);
  await queueEmpties(cluster, check);
  const lost = await load.lost();
  check('no accepted claim was lost', lost === 0, lost);
  for (const gateway of started) await gateways.end(gateway);
  return [...seen, `${lost} lost`];
}

/** What gateways and nodes logged of an answer that nobody should have got. */
function explain(wrong: string, cluster: CitusCluster, gateways: Gateways): void {
  console.log(`     ${wrong}`);
  const [request] = /req_[0-9a-f-]{36}/.exec(wrong) ?? [];
  if (request === undefined) return;
  for (const line of gateways.linesWith(request)) {
    console.log(`     ${line}`);
    const [, day, second] = /"time":"([\d-]+)T([\d:]{8})/.exec(line) ?? [];
    for (const failure of cluster.failuresAt(`${day} ${second}`)) console.log(`       ${failure}`);
  }
}

/** What the database holds of the customer when a read was stale, and where. */
async function explainStale({ appId, customerId, ...read }: StaleRead, cluster: CitusCluster): Promise<void> {
  console.log(`     stale until ${new Date().toISOString()}: ${JSON.stringify(read)}`);
  const own = `WHERE app_id = '${appId}' AND customer_id = '${customerId}'`;
  for (const text of [
    `SELECT granted_mask, epochs, sequence, applied_sequence, changed_at FROM customer_heads ${own}`,
    `SELECT attribute, epoch, document, resolved_at FROM facts ${own}`,
    `SELECT sequence, epoch, value FROM claims ${own} ORDER BY sequence`,
    `SELECT receipt_id, granted_at, revoked_at FROM consent_receipts ${own} ORDER BY granted_at`,
    `SELECT record FROM consent_ledger WHERE app_id = '${appId}' AND record LIKE '%${customerId}%'
      ORDER BY ledger_sequence`,
    `SELECT p.shardid, p.placementid, n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
      WHERE p.shardid = get_shard_id_for_distribution_column('customers', '${appId}')`,
    'SELECT gid, prepared FROM pg_prepared_xacts',
  ])
    console.log(`     ${JSON.stringify(await cluster.sql(text).catch(String))}`);
}

interface Placement {
  shardid: string;
  port: number;
}

/** Where the customers of an app are. */
async function placeOf(cluster: CitusCluster, appId: string): Promise<Placement> {
  const [place] = await cluster.sql<Placement>(
    `SELECT s.shardid, n.nodeport AS port FROM pg_dist_placement s JOIN pg_dist_node n USING (groupid)
      WHERE s.shardid = get_shard_id_for_distribution_column('customers', '${appId}')`,
  );
  if (place === undefined) throw new Error('The app has no shard.');
  return place;
}

/**
 * At least two apps of each node, none of them on the shard that has moved: Citus may not have cleaned up
 * there yet.
 */
async function makeAppsOfBothNodes(
  cluster: CitusCluster,
  moved: string,
  newApp: () => Promise<TestPartner>,
): Promise<TestPartner[]> {
  const apps: TestPartner[] = [];
  for (;;) {
    const byNode = await appsByNode(cluster, apps);
    if (apps.length >= APPS && byNode.every(({ length }) => length > 1)) return apps;
    const app = await newApp();
    if ((await placeOf(cluster, app.appId)).shardid !== moved) apps.push(app);
  }
}

/** Apps on the worker that stays, and those on the one that is killed. */
async function appsByNode(
  cluster: CitusCluster,
  apps: readonly TestPartner[],
): Promise<[TestPartner[], TestPartner[]]> {
  const ports = await Promise.all(apps.map(async ({ appId }) => (await placeOf(cluster, appId)).port));
  const on = (port: number): TestPartner[] => apps.filter((_app, place) => ports[place] === port);
  return [on(cluster.portOf(1)), on(cluster.portOf(KILLED))];
}

async function loseWorker(
  cluster: CitusCluster,
  { counts }: Workload,
  here: readonly TestPartner[],
  there: readonly TestPartner[],
  check: Check,
): Promise<string> {
  const before = counts.unavailable;
  cluster.kill(KILLED);
  await sleep(6000);
  const told = counts.unavailable - before;
  check('apps of the lost worker are answered 503', told > 0, told);
  check('the other apps are read meanwhile', (await statusesOf(here)) === '200');
  check('and written', (await writtenBy(here)) === '202');
  check('those of the lost worker are told 503', (await statusesOf(there)) === '503');
  cluster.restart(KILLED);
  const back = performance.now();
  const end = back + 60_000;
  for (const app of there)
    while ((await app.rest('GET', '/v1/customers')).status !== 200 && performance.now() < end)
      await sleep(20);
  check('the apps are back', performance.now() < end);
  return `a killed worker's apps healed after ${since(back)}`;
}

async function statusesOf(apps: readonly TestPartner[]): Promise<string> {
  const seen = new Set<number>();
  for (const app of apps) seen.add((await app.rest('GET', '/v1/customers')).status);
  return [...seen].join();
}

async function writtenBy(apps: readonly TestPartner[]): Promise<string> {
  const seen = new Set<number>();
  for (const app of apps) {
    const customer = await makeCustomer(app, { external_id: 'meanwhile' });
    const receipt = await grant(app, customer, 'personalization');
    seen.add((await app.rest('POST', '/v1/claims', claimBody(customer))).status);
    seen.add((await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {})).status);
  }
  return [...seen].join();
}

/**
 * A lock would stay behind at the shard's old place, and others could take it at the new one.
 *
 * @returns the id of the shard
 */
async function moveWaits(cluster: CitusCluster, app: TestPartner, check: Check): Promise<string> {
  await makeCustomer(app);
  const place = await placeOf(cluster, app.appId);
  const database = new Database({ url: cluster.ownerUrl, poolSize: 1 });
  let isMoved = false;
  let moving: Promise<unknown> = Promise.resolve();
  await database.transaction(app.appId, async (tx) => {
    await tx.query('SELECT FROM customer_heads WHERE app_id = $1 FOR NO KEY UPDATE', [app.appId]);
    moving = move(cluster, place).then(() => (isMoved = true));
    await sleep(8000);
    check('a shard waits for who has locked a customer', !isMoved);
  });
  await moving;
  await database.close();
  return place.shardid;
}

/** @returns the port of the node that has the shard then */
async function move(cluster: CitusCluster, { shardid, port }: Placement): Promise<number> {
  const target = [cluster.portOf(1), cluster.portOf(2)].find((other) => other !== port) ?? 0;
  await untilNoDeadlock(
    cluster,
    `SELECT citus_move_shard_placement(${shardid}, '127.0.0.1', ${port}, '127.0.0.1', ${target},
      'block_writes')`,
  );
  return target;
}

async function moveShard(cluster: CitusCluster, app: TestPartner, check: Check): Promise<string> {
  const begun = performance.now();
  const target = await move(cluster, await placeOf(cluster, app.appId));
  const took = since(begun);
  check('a shard moved under load', (await placeOf(cluster, app.appId)).port === target, took);
  return `a shard moved in ${took}`;
}

async function isolate(
  cluster: CitusCluster,
  app: TestPartner,
  apps: readonly TestPartner[],
  check: Check,
): Promise<string> {
  const begun = performance.now();
  await untilNoDeadlock(
    cluster,
    `SELECT isolate_tenant_to_new_shard('customers', '${app.appId}', 'CASCADE', 'block_writes')`,
  );
  const took = since(begun);
  const own = await placeOf(cluster, app.appId);
  const places = await Promise.all(apps.map(({ appId }) => placeOf(cluster, appId)));
  const sharing = places.filter(({ shardid }) => shardid === own.shardid);
  check('an app has a shard of its own', sharing.length === 1, took);
  const [{ triggers } = { triggers: 0 }] = await cluster.sql<{ triggers: number }>(
    `SELECT count(*)::integer AS triggers FROM run_command_on_shards('customers',
       $$SELECT count(*) FROM pg_trigger WHERE tgrelid = '%s'::regclass AND NOT tgisinternal$$) WHERE result::integer <> 1`,
  );
  check('every shard has its triggers', triggers === 0, triggers === 0 ? '' : triggers);
  return `an app isolated in ${took}`;
}

/** Under load Citus may cancel what moves a shard, as a deadlock: an operator runs it again. */
async function untilNoDeadlock(cluster: CitusCluster, statement: string): Promise<void> {
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

async function queueEmpties(cluster: CitusCluster, check: Check): Promise<void> {
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

function since(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}
