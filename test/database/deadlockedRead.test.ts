import { expect } from 'chai';
import { Database } from '../../src/database/Database.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';

/** Fails as PostgreSQL ends a read in a deadlock, the first time that it is called. */
const FUNCTION = `CREATE FUNCTION deadlocked_once() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    IF nextval('deadlocks') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    RETURN 7;
  END $$`;

const READ = { name: 'deadlocked', text: 'SELECT deadlocked_once() AS n' };

describe('a read that a deadlock with a migration ended', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
    await execute(test.ownerUrl, 'CREATE SEQUENCE deadlocks');
    await execute(test.ownerUrl, FUNCTION);
  });
  after(() => test.drop());

  for (const sharing of [undefined, { connections: 1, reads: 4 }])
    it(`is sent again, ${sharing === undefined ? 'alone' : 'on a shared connection'}`, async () => {
      await execute(test.ownerUrl, `ALTER SEQUENCE deadlocks RESTART`);
      const shared = sharing === undefined ? {} : { sharing };
      const database = new Database({ url: test.serviceUrl, poolSize: 4, ...shared });
      try {
        expect(await database.readAs('app_none', READ, [])).to.deep.equal([{ n: 7 }]);
        await execute(test.ownerUrl, `ALTER SEQUENCE deadlocks RESTART`);
        expect(await database.read(READ)).to.deep.equal([{ n: 7 }]);
      } finally {
        await database.close();
      }
    });
});
