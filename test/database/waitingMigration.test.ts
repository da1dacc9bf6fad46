import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import type { Running } from '../support/Running.js';

const MIGRATION = 'ExaminedDeliveries1763600000086';

describe('npm run migrate', () => {
  let database: TestDatabase;
  let owner: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('DELETE FROM schema_migrations WHERE name = $1', [MIGRATION]);
  });

  afterEach(async () => {
    await owner.end();
    await database.drop();
  });

  async function migrating(...options: string[]): Promise<Running> {
    const program = ['dist/src/cli/migrate.js', ...options];
    return (await ChildService.begin(program, database.ownerUrl, { LOG_LEVEL: 'warn' })).running;
  }

  it('says once that a migration waits for a lock, and not that it failed', async () => {
    await owner.query('BEGIN; LOCK TABLE webhook_deliveries');
    const running = await migrating();
    await running.until(`The migration ${MIGRATION} waits for a lock that others hold. It is tried again.`);
    // Longer than several tries.
    await new Promise((wake) => setTimeout(wake, 2000));
    await owner.query('COMMIT');
    expect(await running.end()).to.equal(0);
    expect(running.output).to.not.include('failed').and.not.include('timeout');
    expect(running.output.split('waits for a lock')).to.have.length(2);
  });

  it('names a migration that failed, in its error', async () => {
    await owner.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_app_fkey');
    const reason =
      `The migration ${MIGRATION} failed: constraint "webhook_deliveries_app_fkey" ` +
      'of relation "webhook_deliveries" does not exist';
    const running = await migrating('--json');
    expect(await running.end()).to.equal(1);
    expect(JSON.parse(running.output)).to.deep.equal({ error: { code: 'internal_error', message: reason } });
  });
});
