import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../../src/database/embedded/startEmbeddedPostgres.js';
import { distribute } from '../../../src/database/citus/distribute.js';
import { migrate } from '../../../src/database/migrate.js';
import { execute } from '../../support/execute.js';
import { CitusCluster } from '../../support/CitusCluster.js';
import { TEST_SECRETS_KEY } from '../../support/database.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../../support/records.js';
import { registerApp } from '../../support/registerApp.js';
import type { ChildService } from '../../support/ChildService.js';
import type { Gateways } from './Gateways.js';

const ROUNDS = 2;

/** Processor time of database and gateway for one request: plain PostgreSQL and the cluster by turns. */
export async function measureCost(gateways: Gateways, cluster: CitusCluster): Promise<void> {
  const embedded = await startEmbeddedPostgres({
    dataDir: `${process.env['TMPDIR'] ?? '/tmp'}/citus-plain-${process.pid}`,
    log: { info: () => undefined, warn: () => undefined },
  });
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      console.log(`\n     round ${round}: CPU of one request in ms`);
      await costOn(gateways, 'PostgreSQL', embedded.url, () => cpuOfServer(embedded.url));
      await costOn(gateways, 'Citus', cluster.ownerUrl, () => Promise.resolve(cluster.cpuMs));
    }
  } finally {
    await embedded.stop();
  }
}

/** The same on clusters of one, two and three nodes; of one, the coordinator has the shards. */
export async function measureNodes(gateways: Gateways, installation: string, shards: number): Promise<void> {
  for (const workers of [0, 1, 2]) {
    const own = new CitusCluster(installation);
    try {
      await own.start(workers);
      await migrate(own.ownerUrl, { secretsKey: TEST_SECRETS_KEY });
      await distribute(own.adminUrls[0] ?? '', { shards });
      await costOn(gateways, `${workers + 1} nodes`, own.ownerUrl, () => Promise.resolve(own.cpuMs));
    } finally {
      own.stop();
    }
  }
}

function costOn(
  gateways: Gateways,
  name: string,
  databaseUrl: string,
  databaseCpu: () => Promise<number>,
): Promise<void> {
  return gateways.serving(databaseUrl, (gateway) => measureRequests(gateway, name, databaseCpu));
}

async function measureRequests(
  { url, running }: ChildService,
  name: string,
  databaseCpu: () => Promise<number>,
): Promise<void> {
  const gatewayCpu = (): number => cpuOf(running.child.pid ?? 0);
  const app = await registerApp(url);
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
    const [cpu, own, begun] = [await databaseCpu(), gatewayCpu(), performance.now()];
    for (let sent = 0; sent < times; sent += 1) await request();
    const took = (performance.now() - begun) / times;
    await sleep(500);
    const database = ((await databaseCpu()) - cpu) / times;
    const gateway = (gatewayCpu() - own) / times;
    const figures = `database ${database.toFixed(2)}, gateway ${gateway.toFixed(2)}, took ${took.toFixed(1)}`;
    console.log(`     ${name.padEnd(10)} ${part.padEnd(12)} ${figures}`);
  }
}

async function cpuOfServer(url: string): Promise<number> {
  const rows = await execute<{ pid: number }>(
    url,
    'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
  );
  const [{ postmaster } = { postmaster: 0 }] = rows.map(({ pid }) => ({ postmaster: parentOf(pid) }));
  return rows.reduce((sum, { pid }) => sum + cpuOf(pid), cpuOf(postmaster));
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
function cpuOf(pid: number): number {
  const ticks = statOf(pid).slice(11, 15);
  return ticks.reduce((sum, count) => sum + Number(count), 0) * 10;
}
