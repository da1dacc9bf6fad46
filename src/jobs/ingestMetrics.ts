import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import { sharedLook } from './sharedLook.js';

const settled = new Counter({
  name: 'ingest_items_settled_total',
  help: 'Accepted claims and events that were applied, rejected (consent withdrawn) or given up (failed)',
  labelNames: ['kind', 'outcome'],
  registers: [],
});

// From zero on: `increase` does not see the value with which a series begins.
for (const kind of ['claim', 'event'])
  for (const outcome of ['applied', 'rejected', 'failed']) settled.inc({ kind, outcome }, 0);

const lag = new Histogram({
  name: 'ingest_apply_lag_seconds',
  help: 'Time from acceptance to application of the oldest item of a transaction',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800],
  registers: [],
});

const retries = new Counter({
  name: 'ingest_item_retries_total',
  help: 'Failed attempts to apply an item that will be tried again',
  labelNames: ['kind'],
  registers: [],
});

/** Counts the items that a transaction settles, after its commit. */
export function measureSettled(
  tx: Transaction,
  services: Services,
  kind: string,
  outcome: 'applied' | 'rejected' | 'failed',
  rows: readonly InboxRow[],
): void {
  const [oldest] = rows;
  const seconds = oldest && (services.clock().getTime() - Date.parse(oldest.accepted_at)) / 1000;
  tx.afterCommit(() => {
    settled.inc({ kind, outcome }, rows.length);
    if (seconds !== undefined && outcome === 'applied') lag.observe(seconds);
  });
}

export function measureRetry(tx: Transaction, kind: string): void {
  tx.afterCommit(() => retries.inc({ kind }));
}

interface Backlog {
  queue: string;
  waiting: number;
  oldest_seconds: number;
  failing: number;
}

/** Reads all queues in one statement: the work queue belongs to no app. */
const BACKLOG = {
  name: 'work_backlog',
  text: `SELECT queue, count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS failing,
           coalesce(extract(epoch FROM $1::timestamptz - min(ready_at)),
             0)::double precision AS oldest_seconds
         FROM work_queue GROUP BY queue`,
};

/** Registers the metrics of ingestion: backlog, age, lag, stuck customers, failures. */
export function registerIngestMetrics(
  registry: Registry,
  services: Pick<Services, 'database' | 'clock' | 'log'>,
): void {
  for (const metric of [settled, lag, retries]) registry.registerMetric(metric);
  const collect = sharedLook(look, (error) => {
    services.log.warn({ err: error }, 'cannot look at the work queue');
    failed.set(1);
  });
  const gauge = (name: string, help: string): Gauge<'queue'> =>
    new Gauge({ name, help, labelNames: ['queue'], registers: [registry], collect });
  const waiting = gauge('work_queue_waiting', 'Subjects (customers, workflows, …) that have work waiting');
  const oldest = gauge(
    'work_queue_oldest_seconds',
    'How long the oldest subject of a queue has been ready for work',
  );
  const stuck = gauge('work_queue_stuck', 'Subjects whose work failed and will be tried again');
  const failed = new Gauge({
    name: 'work_queue_look_failed',
    help: 'Whether the last look at the work queue failed (1) or not (0)',
    registers: [registry],
    collect,
  });

  async function look(): Promise<void> {
    const rows = await services.database.read<Backlog>(BACKLOG, [services.clock()]);
    for (const metric of [waiting, oldest, stuck]) metric.reset();
    for (const row of [...IDLE, ...rows]) {
      waiting.set({ queue: row.queue }, row.waiting);
      oldest.set({ queue: row.queue }, Math.max(0, row.oldest_seconds));
      stuck.set({ queue: row.queue }, row.failing);
    }
    failed.set(0);
  }
}

/** Queues that are reported even when empty, so that graphs have no gaps. */
const IDLE: readonly Backlog[] = ['customer', 'workflow', 'outbox'].map((queue) => ({
  queue,
  waiting: 0,
  oldest_seconds: 0,
  failing: 0,
}));
