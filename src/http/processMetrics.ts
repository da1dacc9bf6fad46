import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Database } from '../database/Database.js';

/** What this process is, and how its connections to PostgreSQL are used. */
export function measureProcess(
  registry: Registry,
  database: Pick<Database, 'pool'>,
  build: { version: string; role: string },
): void {
  const info = new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node', 'role'],
    registers: [registry],
  });
  info.set({ ...build, node: process.version }, 1);
  const { pool } = database;
  const connections = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this process to the primary',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'database_pool_waiting',
    help: 'Requests and work that wait for a connection',
    registers: [registry],
    collect(): void {
      waiting.set(pool.waitingCount);
    },
  });
}
