import { availableParallelism } from 'node:os';
import { registerCommandMetrics } from '../commands/commandMetrics.js';
import { createDatabase } from './createDatabase.js';
import type { Config } from '../config.js';
import { DatabaseClock } from '../database/DatabaseClock.js';
import { createLog } from './createLog.js';
import { RevocationJournal } from '../database/RevocationJournal.js';
import { dateIdsBy } from '../domain/ids.js';
import { SecretBox } from '../domain/SecretBox.js';
import { exportTelemetry } from './exportTelemetry.js';
import { createRegistry } from '../http/metrics.js';
import type { ToldMetrics } from '../http/metrics.js';
import { measureConnections } from '../http/processMetrics.js';
import { startJobs } from '../jobs/startJobs.js';
import type { Services } from '../Services.js';

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
  registerCommandMetrics(metrics);
  const telemetry = await exportTelemetry(config, metrics, log);
  const database = createDatabase(serviceUrl, config, log, { journal, tracing: telemetry?.tracing });
  measureConnections(metrics, database);
  const clock = (await DatabaseClock.read(database)).follow();
  dateIdsBy(clock.now);
  const services = {
    ...given,
    config,
    database: database.patient(),
    log,
    metrics,
    tracing: telemetry?.tracing,
    clock: clock.now,
    secrets: new SecretBox(config.secrets.secretsKey, config.secrets.otherSecretsKeys),
  };
  // More transactions of an app would not finish sooner, and requests would wait for a processor
  // (docs/decisions/0057-turns-of-background-work.md).
  const jobs = startJobs(services, Math.max(1, availableParallelism() >> 1));
  const stop = async (): Promise<void> => {
    await jobs.stop();
    clock.stop();
    // Its last metrics are read from the database.
    await telemetry?.stop();
    await database.close();
    await journal?.close();
  };
  return { metrics: () => metrics.getMetricsAsJSON(), stop };
}
