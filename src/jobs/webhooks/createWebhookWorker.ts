import type { Registry } from 'prom-client';
import type { Services } from '../../Services.js';
import { receiverPolicy } from '../../domain/webhooks/receiverPolicy.js';
import { createResolver } from './resolveReceiver.js';
import { WebhookMetrics } from './WebhookMetrics.js';
import { WebhookWorker } from './WebhookWorker.js';

/** The webhook worker of a process. `stop()` it before the database is closed. */
export function createWebhookWorker(
  services: Pick<Services, 'config' | 'database' | 'secrets' | 'clock' | 'log' | 'tracing'>,
  registry: Registry,
  turnsOfApp: number,
): WebhookWorker {
  const { config, database, secrets, clock, log, tracing } = services;
  const metrics = new WebhookMetrics(registry, database, clock);
  return new WebhookWorker({
    database,
    secrets,
    clock,
    tracing,
    turnsOfApp,
    network: { policy: receiverPolicy(config), resolve: createResolver() },
    onError: (error, what) => log.error({ err: error }, `${what} failed`),
    onOutcome: (claim, outcome) => metrics.observe(claim, outcome),
  });
}
