import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { startEmbeddedPostgres } from './embedded/startEmbeddedPostgres.js';
import { HostList } from './hosts/HostList.js';
import { primaryUrl } from './hosts/primaryUrl.js';
import { migrate, runMigrations } from './migrate.js';
import { reachDatabase } from './reachDatabase.js';
import { refuseStrangers } from './refuseStrangers.js';
import { awaitMigrations, refuseNewerSchema } from './schemaVersion.js';

export interface OpenedDatabase {
  /** With the role under row level security. */
  serviceUrl: string;
  stop: () => Promise<void>;
}

/** The PostgreSQL of `DATABASE_URL`, or the embedded one under `DATA_DIR`, migrated. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenedDatabase> {
  if (config.databaseUrl !== undefined) {
    return { serviceUrl: await prepareGiven(config.databaseUrl, config, log), stop: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    if (!config.allowNewerSchema) await refuseNewerSchema(embedded.url);
    const { serviceUrl } = await migrate(embedded.url, config.secrets);
    return { serviceUrl, stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/**
 * Reaches the database of `DATABASE_URL` and migrates it to this version, or waits until another process did.
 *
 * @throws StartFailure naming the setting to change
 */
async function prepareGiven(url: string, config: Config, log: Logger): Promise<string> {
  const onWait = (reason: string): void => log.warn({ reason }, 'waiting for the database');
  const patience = {
    waitMs: config.databaseWaitSeconds * 1000,
    onWait,
    forWrites: true,
  };
  await reachDatabase(url, 'DATABASE_URL', patience);
  const primary = await primaryUrl(url);
  await refuseStrangers(primary);
  if (!config.allowNewerSchema) await refuseNewerSchema(primary);
  if (config.migrations === 'wait') await awaitMigrations(primary, patience);
  const run = (ownerUrl: string): Promise<void> =>
    config.migrations === 'wait' ? Promise.resolve() : runMigrations(ownerUrl, onWait);
  const { serviceUrl } = await migrate(primary, config.secrets, run);
  return new HostList(url).withLoginOf(serviceUrl);
}
