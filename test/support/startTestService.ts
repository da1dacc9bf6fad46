import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import type { Environment } from '../../src/config.js';
import { freePort } from '../../src/database/embedded/freePort.js';
import { createTestDatabase, TEST_SECRETS_KEY } from './database.js';
import type { TestDatabase } from './database.js';
import { Partner } from './Partner.js';

export const TEST_ADMIN_KEY = 'test-admin-key-0001';

export interface TestService extends RunningService {
  database: TestDatabase;
  /** A registered app, with tokens for what it may do, that calls the service as its back end would. */
  registerPartner: (scopes: readonly string[], app?: Record<string, unknown>) => Promise<Partner>;
}

/**
 * The whole service, as `npm start` runs it, on a free port over a database of its own.
 *
 * @param env variables over the tests' defaults (rate limits off, silent log)
 * @param shared the database of another node, to be one more node beside it; it is then not dropped at the end
 */
export async function startTestService(env: Environment = {}, shared?: TestDatabase): Promise<TestService> {
  const database = shared ?? (await createTestDatabase());
  const port = String(await freePort());
  const defaults = {
    NODE_ENV: 'test',
    PORT: port,
    ADMIN_KEYS: TEST_ADMIN_KEY,
    SECRETS_KEY: TEST_SECRETS_KEY,
    RATE_LIMITS: 'off',
  };
  const running = await startService(configFrom({ ...defaults, DATABASE_URL: database.ownerUrl, ...env }));
  const stop = async (): Promise<void> => {
    await running.stop();
    if (shared === undefined) await database.drop();
  };
  const registerPartner: TestService['registerPartner'] = (scopes, app) =>
    Partner.register(running.url, TEST_ADMIN_KEY, { allowed_scopes: scopes, ...app });
  return { ...running, database, stop, registerPartner };
}
