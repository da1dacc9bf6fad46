import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import type { TestDatabase } from '../support/database.js';
import { createTestDatabase } from '../support/database.js';
import { TestService } from '../support/TestService.js';

const SLEEP = { name: 'sleep_for_ever', text: 'SELECT pg_sleep(600) AS slept' };
const BOUND = { name: 'bound_now', text: `SELECT current_setting('statement_timeout') AS bound` };

describe('the bound of statements', () => {
  let test: TestDatabase;
  let opened: Database[] = [];

  before(async () => (test = await createTestDatabase()));
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()));
    opened = [];
  });
  after(() => test.drop());

  function open(prepared: boolean): Database {
    const database = new Database({ url: test.serviceUrl, poolSize: 1, prepared, statementTimeoutMs: 400 });
    opened.push(database);
    return database;
  }

  for (const prepared of [true, false]) {
    const kind = prepared ? 'prepared statements' : 'statements sent whole';

    it(`ends each kind of query in PostgreSQL and keeps the connection, with ${kind}`, async () => {
      const database = open(prepared);
      const ways = [
        () => database.readAs('app_one', SLEEP, []),
        () => database.readAs('app_one', { ...SLEEP, name: 'sleep_one_plan', onePlan: true }, []),
        () => database.read(SLEEP),
        () => database.transaction('app_one', (tx) => tx.query(SLEEP.text)),
        () =>
          database.transaction('app_one', (tx) => tx.query(SLEEP.text), { byKeys: true, lockTimeout: '5s' }),
        () => database.urgent.transaction(null, (tx) => tx.query(SLEEP.text)),
        () =>
          database.transaction(null, async (tx) => {
            await tx.query('SELECT 1');
            await tx.query(SLEEP.text);
          }),
      ];
      const [before] = await database.read<{ pid: number }>({
        name: 'own_pid',
        text: 'SELECT pg_backend_pid() AS pid',
      });
      const codes: unknown[] = [];
      for (const ask of ways) {
        codes.push(
          await ask().then(
            () => 'answered',
            (error: unknown) => (error as pg.DatabaseError).code,
          ),
        );
      }
      expect(codes).to.deep.equal(ways.map(() => '57014'));
      const [after] = await database.read<{ pid: number }>({
        name: 'own_pid',
        text: 'SELECT pg_backend_pid() AS pid',
      });
      expect(after).to.deep.equal(before);
    });

    it(`leaves no setting on the connection and excludes background work, with ${kind}`, async () => {
      const database = open(prepared);
      const patient = database.patient();
      const bounds = [
        await database.read(BOUND),
        await patient.read(BOUND),
        await database.readAs('app_one', BOUND, []),
        await patient.readAs('app_one', BOUND, []),
        await database.transaction(null, (tx) => tx.query(BOUND.text)),
        await patient.transaction(null, (tx) => tx.query(BOUND.text)),
        (await database.pool.query(BOUND.text)).rows,
      ].map(([row]) => (row as { bound: string }).bound);
      expect(bounds).to.deep.equal(['400ms', '0', '400ms', '0', '400ms', '0', '0']);
    });
  }

  it('ends what a request waits for in 503 and leaves no statement running', async () => {
    const service = await TestService.start({ STATEMENT_TIMEOUT_MS: '2000', ROLE: 'gateway' });
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    try {
      const app = await service.makeApp();
      const { customer } = (await app.rest('POST', '/v1/customers', { external_id: 'kept' })).body;
      await owner.connect();
      await owner.query('BEGIN');
      await owner.query('SELECT 1 FROM customers WHERE customer_id = $1 FOR UPDATE', [customer.id]);
      const blocked = await app.rest('PATCH', `/v1/customers/${customer.id}`, { metadata: { tier: 'gold' } });
      expect([blocked.status, blocked.body.error.code]).to.deep.equal([503, 'unavailable']);
      await owner.query('ROLLBACK');
      const waiting = await service.sql(
        `SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
      );
      expect(waiting).to.deep.equal([]);
      const after = await app.rest('PATCH', `/v1/customers/${customer.id}`, { metadata: { tier: 'gold' } });
      expect(after.status).to.equal(200);
    } finally {
      await owner.end();
      await service.stop();
    }
  });
});
