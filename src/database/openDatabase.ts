import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { startEmbeddedPostgres } from './embedded/startEmbeddedPostgres.js';
import { migrate } from './migrate.js';

export interface OpenedDatabase {
  /** As the role under row level security. */
  serviceUrl: string;
  stop: () => Promise<void>;
}

/** The PostgreSQL of `DATABASE_URL`, or the embedded one under `DATA_DIR`; brought up to date. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenedDatabase> {
  if (config.databaseUrl !== undefined) {
    const { serviceUrl } = await migrate(config.databaseUrl, config.secrets.secretsKey);
    return { serviceUrl, stop: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    const { serviceUrl } = await migrate(embedded.url, config.secrets.secretsKey);
    return { serviceUrl, stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}
