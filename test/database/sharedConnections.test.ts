import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const APPS = Array.from({ length: 8 }, (_, index) => `app_shared_${index}`);
const MINE = { name: 'shared_mine', text: 'SELECT app_id FROM idempotency_keys' };
const SETTING = { name: 'shared_setting', text: `SELECT current_setting('consent.app_id', true) AS app` };
const DIVIDE = { name: 'shared_divide', text: 'SELECT 6 / $1::integer AS result' };
const BROKEN = { name: 'shared_broken', text: 'SELECT nothing FROM nowhere' };
const SLEEP = { name: 'shared_sleep', text: 'SELECT pg_sleep($1)' };
const BACKEND = { name: 'shared_backend', text: 'SELECT pg_backend_pid() AS pid' };
const KEY = `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at)
  VALUES ($1, 'mine', '', now())`;

describe('reads of apps on shared connections', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = open(1);
    for (const app of APPS) await database.transaction(app, (tx) => tx.execute(KEY, [app]));
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  const open = (connections: number): Database =>
    new Database({ url: test.serviceUrl, poolSize: 10, sharing: { connections, depth: 8 } });

  const codeOf = (error: unknown): unknown => (error as { code?: string }).code;

  it('see their own app alone, whatever other apps read and fail around them', async () => {
    const read = fc.record({
      app: fc.constantFrom(...APPS),
      kind: fc.constantFrom('mine', 'fails', 'unknown', 'setting'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(read, { minLength: 2, maxLength: 24 }), async (reads) => {
        const answers = await Promise.all(
          reads.map(({ app, kind }) => {
            if (kind === 'fails') return database.readAs(app, DIVIDE, [0]).catch(codeOf);
            if (kind === 'unknown') return database.readAs(app, BROKEN, []).catch(codeOf);
            return database.readAs(app, kind === 'mine' ? MINE : SETTING, []);
          }),
        );
        for (const [index, { app, kind }] of reads.entries()) {
          const wanted = { fails: '22012', unknown: '42P01', mine: [{ app_id: app }], setting: [{ app }] };
          expect(answers[index]).to.deep.equal(wanted[kind as keyof typeof wanted]);
        }
        expect(await database.read(MINE)).to.deep.equal([]);
        expect(await database.transaction(null, (tx) => tx.query(SETTING.text))).to.deep.equal([{ app: '' }]);
      }),
      { numRuns: 40 },
    );
  });

  it('travel on one connection at the same time', async () => {
    const pids = await Promise.all(APPS.map((app) => database.readAs(app, BACKEND, [])));
    expect(new Set(pids.map(([row]) => row?.['pid'])).size).to.equal(1);
  });

  it('do not wait for a neighbour whose statement hangs', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    try {
      const hanging = database.readAs('app_slow', SLEEP, [600]).catch(codeOf);
      const behind = await Promise.all(APPS.slice(1).map((app) => database.readAs(app, MINE, [])));
      expect(behind.map(([row]) => row?.['app_id'])).to.deep.equal(APPS.slice(1));
      const later = await Promise.all(APPS.map((app) => database.readAs(app, MINE, [])));
      expect(later.map(([row]) => row?.['app_id'])).to.deep.equal(APPS);
      const stopped = await client.query(
        `SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'
          AND state = 'active'`,
      );
      expect(stopped.rows).to.deep.equal([{ done: true }]);
      expect(await hanging).to.equal('57014');
    } finally {
      await client.end();
    }
  });

  it('are read again when their connection breaks', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    const fresh = open(1);
    try {
      const [row] = await fresh.readAs('app_slow', BACKEND, []);
      const reads = APPS.map((app) =>
        fresh.readAs(app, { name: 'shared_kill', text: `SELECT $1::text AS app, pg_sleep(0.01)` }, [app]),
      );
      await client.query('SELECT pg_terminate_backend($1)', [row?.['pid']]);
      const answers = await Promise.all(reads);
      expect(answers.map(([answer]) => answer?.['app'])).to.deep.equal(APPS);
      expect(await Promise.all(APPS.map((app) => fresh.readAs(app, MINE, [])))).to.have.length(APPS.length);
    } finally {
      await client.end();
      await fresh.close();
    }
  });

  it('give their connection back to the pool', async () => {
    await Promise.all(APPS.map((app) => database.readAs(app, MINE, [])));
    expect(database.pool.idleCount).to.equal(database.pool.totalCount);
  });
});
