import { availableParallelism } from 'node:os';
import { Turns } from './access/Turns.js';
import { createDatabase } from './createDatabase.js';
import type { Config } from './config.js';
import { createLog } from './createLog.js';
import { RevocationJournal } from './database/RevocationJournal.js';
import { SecretBox } from './domain/SecretBox.js';
import { exportTelemetry } from './exportTelemetry.js';
import { createRegistry } from './http/metrics.js';
import type { ToldMetrics } from './http/metrics.js';
import { measureConnections } from './http/processMetrics.js';
import { startJobs } from './jobs/startJobs.js';
import type { Services } from './Services.js';

/** The input of background work in a thread: plain data. */
export interface WorkGiven extends Pick<Services, 'config' | 'attributes' | 'intents'> {
  /** The URL of the database, which the process has opened. */
  serviceUrl: string;
}

/** Running background work without a gateway. */
export interface Working {
  metrics: () => Promise<ToldMetrics>;
  stop: () => Promise<void>;
}

/** Starts the background work on an open, migrated database. */
export async function startWorking({ serviceUrl, ...given }: WorkGiven): Promise<Working> {
  const config: Config = { ...given.config, role: 'worker' };
  const log = createLog(config.logLevel);
  // The process has already bound the journal to the database, and applied the withdrawals that the database
  // lacked.
  const journal =
    config.revocationJournal === undefined ? undefined : new RevocationJournal(config.revocationJournal);
  const metrics = createRegistry();
  const telemetry = await exportTelemetry(config, metrics, log);
  const database = createDatabase(serviceUrl, config, log, journal, telemetry?.tracing);
  measureConnections(metrics, database);
  const jobs = startJobs({
    ...given,
    config,
    database: database.patient(backgroundTurns),
    log,
    metrics,
    tracing: telemetry?.tracing,
    clock: () => new Date(),
    secrets: new SecretBox(config.secrets.secretsKey, config.secrets.otherSecretsKeys),
  });
  const stop = async (): Promise<void> => {
    await jobs.stop();
    await database.close();
    await journal?.close();
    await telemetry?.stop();
  };
  return { metrics: () => metrics.getMetricsAsJSON(), stop };
}

/**
 * Bounds the transactions of background work: as many at once as there are processors, of one app half as
 * many. Those of webhooks are bounded apart. More would not finish sooner, and requests would wait for a
 * processor (docs/decisions/0057-turns-of-background-work.md).
 */
function backgroundTurns(): Turns {
  return new Turns({ perApp: Math.max(1, availableParallelism() >> 1), room: 2, waitMs: Infinity });
}
