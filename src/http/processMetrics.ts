import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Database } from '../database/Database.js';

export function measureProcess(
  registry: Registry,
  database: Pick<Database, 'isDistributed'>,
  build: { version: string; role: string },
): void {
  collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node', 'role'],
    registers: [registry],
    aggregator: 'first',
  });
  info.set({ ...build, node: process.version }, 1);
  const distributed: Gauge = new Gauge({
    name: 'database_distributed',
    help: '1 on a Citus cluster, 0 on one PostgreSQL',
    registers: [registry],
    aggregator: 'max',
    async collect(): Promise<void> {
      const isDistributed = await database.isDistributed().catch(() => undefined);
      if (isDistributed !== undefined) distributed.set(isDistributed ? 1 : 0);
    },
  });
}

/** Metrics of a pool's connections to PostgreSQL. */
export function measureConnections(registry: Registry, database: Pick<Database, 'pool' | 'reserve'>): void {
  const { pool } = database;
  const connections = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this process to the primary',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'busy' }, busyOf(pool));
    },
  });
  const reserved = new Gauge({
    name: 'database_reserved_connections',
    help: 'Connections for withdrawals that are in use because all others are taken, and the most there can be',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const { reserve } = database;
      reserved.set({ state: 'busy' }, reserve === undefined ? 0 : busyOf(reserve));
      reserved.set({ state: 'most' }, reserve?.options.max ?? 0);
    },
  });
  const exhausted: Gauge = new Gauge({
    name: 'database_exhausted_processes',
    help: 'Processes whose connections are all in use, those for withdrawals included',
    registers: [registry],
    // Added up over processes, one that is exhausted is not hidden by the others.
    aggregator: 'sum',
    collect(): void {
      const { reserve } = database;
      const isExhausted = reserve !== undefined && busyOf(reserve) >= reserve.options.max;
      exhausted.set(isExhausted ? 1 : 0);
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

function busyOf({ totalCount, idleCount }: Pick<Database['pool'], 'totalCount' | 'idleCount'>): number {
  return totalCount - idleCount;
}
