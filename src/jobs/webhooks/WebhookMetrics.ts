import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/Database.js';
import { sharedLook } from '../sharedLook.js';
import { succeeded } from './AttemptOutcome.js';
import type { AttemptOutcome } from './AttemptOutcome.js';
import type { ClaimedDelivery } from './claimDeliveries.js';

/** Endpoints with a label of their own per process. Attempts at others count as `other`. */
const MAX_ENDPOINT_LABELS = 1000;

interface Backlog {
  pending: number;
  oldest_at: string | null;
  failing_endpoints: number;
  disabled_endpoints: number;
  messages: number;
  oldest_message_at: string | null;
}

const BACKLOG = {
  name: 'webhook_backlog',
  text: `SELECT b.*, q.messages, q.oldest_message_at FROM webhook_backlog() b,
           (SELECT count(*) AS messages, min(ready_at) AS oldest_message_at FROM work_queue
             WHERE queue = 'outbox') q`,
};

/** Prometheus metrics of webhooks (docs/operations.md#webhooks). */
export class WebhookMetrics {
  private readonly attempts: Counter<'endpoint' | 'result'>;
  private readonly seconds: Histogram<'result'>;
  private readonly labelled = new Set<string>();

  constructor(registry: Registry, database: Database, clock: () => Date) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'consent_webhook_attempts_total',
      help: 'Attempts to deliver webhooks, by endpoint and result (success, failure, dropped).',
      labelNames: ['endpoint', 'result'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'consent_webhook_attempt_seconds',
      help: 'How long receivers take to answer.',
      labelNames: ['result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    registerBacklog(registry, database, clock);
  }

  observe(claim: ClaimedDelivery, outcome: AttemptOutcome): void {
    if (outcome.kind === 'released') return;
    const endpoint = this.labelOf(claim.endpointId);
    if (outcome.kind === 'dropped') return this.attempts.inc({ endpoint, result: 'dropped' });
    const result = succeeded(outcome) ? 'success' : 'failure';
    this.attempts.inc({ endpoint, result });
    this.seconds.observe({ result }, outcome.durationMs / 1000);
  }

  private labelOf(endpointId: string): string {
    if (this.labelled.size < MAX_ENDPOINT_LABELS) this.labelled.add(endpointId);
    return this.labelled.has(endpointId) ? endpointId : 'other';
  }
}

/** Gauges read from the database at each scrape, so that any one process reports for all. */
function registerBacklog(registry: Registry, database: Database, clock: () => Date): void {
  // Without a database they keep their last values.
  const read = sharedLook(
    async () => (await database.read<Backlog>(BACKLOG))[0],
    () => undefined,
  );
  const gauge = (name: string, help: string, valueOf: (backlog: Backlog) => number): void => {
    const made = new Gauge({
      name,
      help,
      registers: [],
      async collect(): Promise<void> {
        const backlog = await read();
        if (backlog !== undefined) this.set(valueOf(backlog));
      },
    });
    registry.registerMetric(made);
  };
  gauge(
    'consent_webhook_pending_deliveries',
    'Deliveries that were not delivered yet.',
    ({ pending }) => pending,
  );
  gauge(
    'consent_webhook_outbox_messages',
    'Changes that wait to be turned into deliveries.',
    ({ messages }) => messages,
  );
  gauge(
    'consent_webhook_oldest_seconds',
    'Age of the oldest change that was not delivered yet, those whose receivers fail included.',
    (row) => ageSeconds(row, clock()),
  );
  gauge(
    'consent_webhook_failing_endpoints',
    'Active endpoints that failed since their last success.',
    (row) => row.failing_endpoints,
  );
  gauge(
    'consent_webhook_disabled_endpoints',
    'Endpoints that are disabled.',
    (row) => row.disabled_endpoints,
  );
}

function ageSeconds({ oldest_at, oldest_message_at }: Backlog, now: Date): number {
  const ages = [oldest_at, oldest_message_at].flatMap((time) =>
    time === null ? [] : [(now.getTime() - Date.parse(time)) / 1000],
  );
  return Math.max(0, ...ages);
}
