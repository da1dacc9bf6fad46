import { atMost } from '../concurrency/atMost.js';
import { Turns } from '../concurrency/Turns.js';
import type { Services } from '../Services.js';
import { createMailTransport } from '../mail/createMailTransport.js';
import { eraseApp } from './eraseApp.js';
import { countFailedWorkflows } from './countFailedWorkflows.js';
import { sweepExpired } from './sweepExpired.js';
import { drainCustomer } from './drainCustomer.js';
import { expireConnectionSession } from './expireConnectionSession.js';
import { registerIngestMetrics } from './ingestMetrics.js';
import { compactTallies, foldTallies } from './foldTallies.js';
import { registerLearningMetrics } from './learning/learningMetrics.js';
import { isRun, learnSources } from './learning/learnSources.js';
import { LedgerCheckpoints } from './LedgerCheckpoints.js';
import { PeriodicSweep } from './PeriodicSweep.js';
import type { Sweep } from './PeriodicSweep.js';
import { QueueWorker } from './QueueWorker.js';
import type { QueueWorkerOptions } from './QueueWorker.js';
import { eraseAccount } from '../accounts/eraseAccount.js';
import { sendMail } from './sendMail.js';
import { runWorkflow } from './runWorkflow.js';
import { sweepRequestLog } from './sweepRequestLog.js';
import { sweepIdempotencyKeys } from './sweepIdempotencyKeys.js';
import { sweepWorkflows } from './sweepWorkflows.js';
import { createWebhookWorker } from './webhooks/createWebhookWorker.js';
import { STOP_GRACE_MS } from './webhooks/WebhookWorker.js';
import { sweepDeliveries } from './webhooks/sweepDeliveries.js';

export interface Jobs {
  /** Stops looking for work and waits for the work in progress; others do again what takes too long. */
  stop: () => Promise<void>;
}

/**
 * Maximum wait for the work in progress, in milliseconds: a process stops within ten seconds. It leaves
 * time to return webhooks that were broken off to the queue.
 */
const STOP_MS = STOP_GRACE_MS + 2000;

const POLL_MS = 200;

const LEARNING = { queue: 'learning', concurrency: 2, perApp: 1, pollMs: 500, work: learnSources } as const;

/** The queues that need nothing of their own at the start. */
const QUEUES: readonly QueueWorkerOptions[] = [
  { queue: 'account', concurrency: 1, pollMs: 1000, work: (services, _, id) => eraseAccount(services, id) },
  { queue: 'app_erasure', concurrency: 1, pollMs: 1000, work: (services, _, id) => eraseApp(services, id) },
  // Each drains other customers of the app too: more workers would take them from each other.
  { queue: 'customer', concurrency: 4, perApp: 2, pollMs: POLL_MS, work: drainCustomer },
  { queue: 'connection_session', concurrency: 1, pollMs: 1000, work: expireConnectionSession },
  { queue: 'workflow', concurrency: 4, perApp: 2, pollMs: POLL_MS, work: runWorkflow },
  { ...LEARNING, takes: isRun },
  // What waits behind no run, which may last long.
  { ...LEARNING, takes: (subject) => !isRun(subject) },
];

/** The sweeps that need nothing of their own at the start. */
const SWEEPS: readonly Sweep[] = [
  { name: 'oauth', everyMs: 60_000, work: ({ database }) => sweepExpired(database) },
  { name: 'idempotency_keys', everyMs: 60_000, work: sweepIdempotencyKeys },
  { name: 'request_log', everyMs: 60_000, work: (services) => sweepRequestLog(services) },
  { name: 'tallies', everyMs: 5000, work: foldTallies },
  { name: 'old_tallies', everyMs: 3_600_000, work: compactTallies },
  { name: 'webhooks', everyMs: 3_600_000, work: ({ database, clock }) => sweepDeliveries(database, clock()) },
  { name: 'workflows', everyMs: 3_600_000, work: sweepWorkflows },
];

/**
 * Starts all background work.
 *
 * @param turnsOfApp maximum concurrent transactions of one app; those of all apps are twice as many
 */
export function startJobs(given: Services, turnsOfApp = Infinity): Jobs {
  const turns = new Turns({ perApp: turnsOfApp, room: 2, waitMs: Infinity });
  const services = { ...given, database: given.database.withTurns(turns) };
  registerIngestMetrics(services.metrics, services);
  registerLearningMetrics(services.metrics, services);
  const transport = createMailTransport(services.config);
  if (transport === undefined && !services.config.mailbox)
    services.log.warn(
      'SMTP_URL is not set: mails wait, and nobody can prove an address or set a new password',
    );
  const queues: QueueWorkerOptions[] = [
    ...QUEUES,
    { queue: 'mail', concurrency: 2, pollMs: 1000, work: (all, _, id) => sendMail(all, transport, id) },
  ];
  // Its transactions are short, and would wait for a turn behind those that apply items.
  const webhooks = createWebhookWorker(given, services.metrics, turnsOfApp);
  const failed = { name: 'failed_workflows', everyMs: 60_000, work: countFailedWorkflows(services.metrics) };
  const checkpoints = checkpointSweep(services);
  const sweeps: Sweep[] = [...SWEEPS, failed, ...(checkpoints === undefined ? [] : [checkpoints])];
  const workers = [
    ...queues.map((options) => new QueueWorker(services, options)),
    webhooks,
    ...sweeps.map((sweep) => new PeriodicSweep(services, sweep)),
  ];
  for (const worker of workers) worker.start();
  return {
    stop: async () => {
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      await atMost(STOP_MS, stopped);
      transport?.close();
    },
  };
}

function checkpointSweep(services: Services): Sweep | undefined {
  const { checkpointDir, checkpointMinutes, secrets } = services.config;
  if (checkpointDir === undefined || secrets.checkpointKey === undefined) return undefined;
  const checkpoints = new LedgerCheckpoints(checkpointDir, secrets.checkpointKey, services.metrics);
  return {
    name: 'checkpoints',
    everyMs: checkpointMinutes * 60_000,
    work: async (all, stopping) => {
      await checkpoints.round(all, stopping);
      return false;
    },
  };
}
