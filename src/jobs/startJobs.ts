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
import { QueueWorker } from './QueueWorker.js';
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
const LEARNING_POLL_MS = 500;

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
  const workers: { start(): void; stop(): Promise<void> }[] = [
    new QueueWorker(services, {
      queue: 'account',
      concurrency: 1,
      pollMs: 1000,
      work: (_services, _owner, erasureId) => eraseAccount(services, erasureId),
    }),
    new QueueWorker(services, {
      queue: 'app_erasure',
      concurrency: 1,
      pollMs: 1000,
      work: (_services, _owner, erasureId) => eraseApp(services, erasureId),
    }),
    new QueueWorker(services, {
      queue: 'mail',
      concurrency: 2,
      pollMs: 1000,
      work: (_services, _owner, mailId) => sendMail(services, transport, mailId),
    }),
    // Each drains other customers of the app too: more workers would take them from each other.
    new QueueWorker(services, {
      queue: 'customer',
      concurrency: 4,
      perApp: 2,
      pollMs: POLL_MS,
      work: drainCustomer,
    }),
    new QueueWorker(services, {
      queue: 'connection_session',
      concurrency: 1,
      pollMs: 1000,
      work: expireConnectionSession,
    }),
    new QueueWorker(services, {
      queue: 'workflow',
      concurrency: 4,
      perApp: 2,
      pollMs: POLL_MS,
      work: runWorkflow,
    }),
    new QueueWorker(services, {
      queue: 'learning',
      concurrency: 2,
      perApp: 1,
      pollMs: LEARNING_POLL_MS,
      takes: isRun,
      work: learnSources,
    }),
    // What waits behind no run, which may last long.
    new QueueWorker(services, {
      queue: 'learning',
      concurrency: 2,
      perApp: 1,
      pollMs: LEARNING_POLL_MS,
      takes: (subject) => !isRun(subject),
      work: learnSources,
    }),
    // Its transactions are short, and would wait for a turn behind those that apply items.
    createWebhookWorker(given, services.metrics, turnsOfApp),
    new PeriodicSweep(services, {
      name: 'oauth',
      everyMs: 60_000,
      work: ({ database }) => sweepExpired(database),
    }),
    new PeriodicSweep(services, { name: 'idempotency_keys', everyMs: 60_000, work: sweepIdempotencyKeys }),
    new PeriodicSweep(services, {
      name: 'request_log',
      everyMs: 60_000,
      work: (all) => sweepRequestLog(all),
    }),
    new PeriodicSweep(services, {
      name: 'failed_workflows',
      everyMs: 60_000,
      work: countFailedWorkflows(services.metrics),
    }),
    new PeriodicSweep(services, { name: 'tallies', everyMs: 5000, work: foldTallies }),
    new PeriodicSweep(services, { name: 'old_tallies', everyMs: 3_600_000, work: compactTallies }),
    new PeriodicSweep(services, {
      name: 'webhooks',
      everyMs: 3_600_000,
      work: ({ database, clock }) => sweepDeliveries(database, clock()),
    }),
    new PeriodicSweep(services, { name: 'workflows', everyMs: 3_600_000, work: sweepWorkflows }),
  ];
  const checkpoints = checkpointSweep(services);
  if (checkpoints !== undefined) workers.push(checkpoints);
  for (const worker of workers) worker.start();
  return {
    stop: async () => {
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      await atMost(STOP_MS, stopped);
      transport?.close();
    },
  };
}

function checkpointSweep(services: Services): PeriodicSweep | undefined {
  const { checkpointDir, checkpointMinutes, secrets } = services.config;
  if (checkpointDir === undefined || secrets.checkpointKey === undefined) return undefined;
  const checkpoints = new LedgerCheckpoints(checkpointDir, secrets.checkpointKey, services.metrics);
  return new PeriodicSweep(services, {
    name: 'checkpoints',
    everyMs: checkpointMinutes * 60_000,
    work: async (all, stopping) => {
      await checkpoints.round(all, stopping);
      return false;
    },
  });
}
