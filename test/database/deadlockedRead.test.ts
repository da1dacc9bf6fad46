import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const READ = {
  name: 'deadlocked',
  text: 'SELECT count(*)::integer AS n FROM customers c LEFT JOIN consent_receipts r ON r.app_id = c.app_id',
};

const READER_WAITS = `SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE c.relname = 'consent_receipts' AND NOT l.granted AND l.mode = 'AccessShareLock'`;

/** A migration takes the locks of tables in its order, and a read in another one. */
describe('a read in a deadlock with a migration', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await test.drop();
  });

  for (const sharing of [undefined, { connections: 1, depth: 4 }])
    it(`is sent again, ${sharing === undefined ? 'alone' : 'on a shared connection'}`, async () => {
      const database = new Database({
        url: test.serviceUrl,
        poolSize: 4,
        ...(sharing === undefined ? {} : { sharing }),
      });
      try {
        await owner.query('BEGIN');
        await owner.query('LOCK TABLE consent_receipts');
        const read = database.readAs('app_none', READ, []);
        while ((await owner.query(READER_WAITS)).rowCount === 0) await sleep(10);
        // The reader has waited for longer, so it is the one that PostgreSQL ends.
        await owner.query('LOCK TABLE customers');
        await owner.query('COMMIT');
        expect(await read).to.deep.equal([{ n: 0 }]);
      } finally {
        await database.close();
      }
    });
});
