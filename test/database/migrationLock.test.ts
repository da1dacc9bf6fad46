import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { createEmptyDatabase, createTestDatabase, TEST_SECRETS_KEY } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('The lock of migrations', () => {
  let database: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await database.drop();
  });

  const LOCKS = `FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

  it('fails the start, and not by an exception nobody catches, when its connection breaks', async () => {
    const broken = migrate(database.ownerUrl, { secretsKey: TEST_SECRETS_KEY }, async () => {
      await owner.query(`SELECT pg_terminate_backend(pid) ${LOCKS}`);
      // As long as an index is built, nobody asks the connection anything.
      await new Promise((wake) => setTimeout(wake, 100));
    });
    const outcome = await broken.then(
      () => 'migrated',
      (error: Error) => error.message,
    );
    expect(outcome).to.match(/connection|terminat/i);
  });

  it('is held however long its connection rests', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await owner.query(`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '50ms'`);
    await migrate(database.ownerUrl, { secretsKey: TEST_SECRETS_KEY }, async () => {
      await new Promise((wake) => setTimeout(wake, 300));
      expect((await owner.query(`SELECT ${LOCKS}`)).rowCount).to.equal(1);
    });
  });

  const WAITED_FOR_WITH_A_SNAPSHOT = {
    'a gateway of an older version start': 7_263_518_004,
    'signing keys be made and revoked': 7_263_518_005,
  };
  for (const [what, number] of Object.entries(WAITED_FOR_WITH_A_SNAPSHOT))
    it(`lets ${what} meanwhile`, async () => {
      await migrate(database.ownerUrl, { secretsKey: TEST_SECRETS_KEY }, async () => {
        const { rows } = await owner.query('SELECT pg_try_advisory_xact_lock($1) AS got', [number]);
        expect(rows).to.deep.equal([{ got: true }]);
      });
    });

  it('lets several processes migrate an empty database at once, one after the other', async () => {
    const url = await createEmptyDatabase();
    const all = await Promise.all([1, 2, 3].map(() => migrate(url, { secretsKey: TEST_SECRETS_KEY })));
    expect(new Set(all.map(({ serviceUrl }) => serviceUrl)).size).to.equal(1);
  });
});
