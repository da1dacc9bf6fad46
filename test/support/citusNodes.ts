import { distribute } from '../../src/database/citus/distribute.js';
import { migrate } from '../../src/database/migrate.js';
import { execute } from './execute.js';

const SHARDS = 4;

/**
 * Superusers' URLs of the nodes of a Citus cluster to test on, the coordinator's first; empty to test on one
 * PostgreSQL.
 */
export const citusNodes: readonly string[] = (process.env['TEST_CITUS_URLS'] ?? '')
  .split(',')
  .filter(Boolean);

/** The same database on another node, or another database on the same. */
export function urlOf(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}

/** A migrated and spread database on every node, to be cloned node by node. */
export async function createCitusTemplate(name: string, secretsKey: string): Promise<void> {
  for (const node of citusNodes) {
    await execute(node, `CREATE DATABASE ${name} TEMPLATE template0`);
    await execute(urlOf(node, name), 'CREATE EXTENSION citus');
  }
  const [coordinator = '', ...workers] = citusNodes.map((node) => urlOf(node, name));
  await execute(coordinator, `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await execute(coordinator, `SELECT citus_add_node(${addressOf(worker)})`);
  await migrate(coordinator, { secretsKey });
  await distribute(coordinator, { shards: SHARDS });
  for (const node of citusNodes) {
    await execute(node, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await execute(node, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  }
}

/**
 * Shards and what Citus knows of them lie in the databases of their nodes: cloned one by one they make a
 * cluster of their own.
 */
export async function cloneCitusDatabase(template: string, name: string): Promise<void> {
  for (const node of citusNodes) await execute(node, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const [coordinator = ''] = citusNodes;
  await execute(coordinator, `ALTER DATABASE ${name} SET citus.propagate_set_commands = 'local'`);
}

export async function dropCitusDatabase(name: string): Promise<void> {
  for (const node of citusNodes) await execute(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port}`;
}
