import { expect } from 'chai';
import { Database } from '../../src/database/Database.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const KEY = `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at) VALUES ($1, $2, '', now())`;
const SETTINGS = `SELECT current_setting('consent.app_id', true) AS app,
  current_setting('plan_cache_mode') AS plans,
  current_setting('enable_seqscan') AS scans, current_setting('enable_hashjoin') AS hashes,
  current_setting('enable_mergejoin') AS merges, current_setting('lock_timeout') AS wait`;

for (const prepared of [true, false])
  describe(`a transaction, ${prepared ? 'with' : 'without'} prepared statements`, () => {
    const APP = 'app_one';
    let test: TestDatabase;
    let database: Database;

    before(async () => {
      test = await createTestDatabase();
      database = new Database({ url: test.serviceUrl, poolSize: 1, prepared });
    });
    after(async () => {
      await database.close();
      await test.drop();
    });

    const keys = async (): Promise<unknown[]> => {
      const rows = await database.transaction(APP, (tx) =>
        tx.query('SELECT key FROM idempotency_keys ORDER BY key'),
      );
      return rows.map(({ key }) => key);
    };

    /** How it ended, whether its hook ran, and what it left behind. */
    async function outcomeOf(
      work: (tx: Transaction) => Promise<unknown>,
      byKeys: boolean,
    ): Promise<{ error: string; hooks: number; left: unknown[] }> {
      const before = await keys();
      let hooks = 0;
      let error = 'none';
      const working = async (tx: Transaction): Promise<void> => {
        tx.afterCommit(() => (hooks += 1));
        await work(tx);
      };
      try {
        await database.transaction(APP, working, { byKeys });
      } catch (thrown) {
        error = (thrown as { code?: string }).code ?? (thrown as Error).message;
      }
      return { error, hooks, left: (await keys()).filter((key) => !before.includes(key)) };
    }

    for (const byKeys of [true, false])
      describe(byKeys ? 'by keys' : 'of any statements', () => {
        const tag = byKeys ? 'k' : 'a';

        it('keeps what was only sent, in order, and runs its hooks after the commit', async () => {
          const heard: number[] = [];
          const outcome = await outcomeOf(async (tx) => {
            tx.send(KEY, [APP, `${tag}1`], (rows) => heard.push(rows));
            const seen = await tx.query('SELECT key FROM idempotency_keys WHERE key = $1', [`${tag}1`]);
            expect(seen).to.have.length(1);
            tx.send('UPDATE idempotency_keys SET sealed = true WHERE key = $1', ['nobody'], (rows) =>
              heard.push(rows),
            );
          }, byKeys);
          expect(outcome).to.deep.equal({ error: 'none', hooks: 1, left: [`${tag}1`] });
          expect(heard).to.deep.equal([1, 0]);
        });

        it('keeps nothing and runs no hook when a statement fails that was only sent', async () => {
          const outcome = await outcomeOf(async (tx) => {
            await tx.execute(KEY, [APP, `${tag}2`]);
            tx.send('SELECT 1 / $1::integer', [0]);
            tx.send(KEY, [APP, `${tag}3`]);
          }, byKeys);
          expect(outcome).to.deep.equal({ error: '22012', hooks: 0, left: [] });
        });

        it('reports the error of an earlier statement that was only sent, not later ones', async () => {
          const outcome = await outcomeOf(async (tx) => {
            tx.send(KEY, [APP, `${tag}4`]);
            tx.send('SELECT 1 / $1::integer', [0]);
            await tx.query('SELECT 1');
          }, byKeys);
          expect(outcome).to.deep.equal({ error: '22012', hooks: 0, left: [] });
        });

        it('fails when PostgreSQL answers the commit with a rollback', async () => {
          const outcome = await outcomeOf(async (tx) => {
            await tx.execute(KEY, [APP, `${tag}5`]);
            await tx.query('SELECT 1 / $1::integer', [0]).catch(() => undefined);
          }, byKeys);
          expect(outcome).to.deep.equal({
            error: 'The transaction was rolled back at its commit.',
            hooks: 0,
            left: [],
          });
        });

        it('rolls back what was sent when its work fails, and leaves the connection usable', async () => {
          const outcome = await outcomeOf((tx) => {
            tx.send(KEY, [APP, `${tag}6`]);
            return Promise.reject(new Error('gave up'));
          }, byKeys);
          expect(outcome).to.deep.equal({ error: 'gave up', hooks: 0, left: [] });
        });

        it('begins with a statement without values, even one that fails', async () => {
          const read = (text: string): Promise<unknown> =>
            database.transaction(APP, (tx) => tx.query(text), { byKeys });
          const failed = await read('SELECT 1 / 0').catch((error: { code: string }) => error.code);
          expect(failed).to.equal('22012');
          expect(await read(`SELECT current_setting('consent.app_id') AS app`)).to.deep.equal([{ app: APP }]);
        });

        it('runs a known statement with other values, even after a failure', async () => {
          const divide = (by: number): Promise<unknown> =>
            database.transaction(APP, (tx) => tx.query('SELECT 6 / $1::integer AS result', [by]), { byKeys });
          for (const by of [1, 2, 0, 3, 0, 6]) {
            const answer = await divide(by).catch((error: { code: string }) => error.code);
            expect(answer).to.deep.equal(by === 0 ? '22012' : [{ result: 6 / by }]);
          }
        });

        it('leaves no app and no setting on its connection', async () => {
          const [before] = await database.read({ name: 'settings_then', text: SETTINGS });
          const options = { byKeys, lockTimeout: '5s' };
          const [within] = await database.transaction(APP, (tx) => tx.query(SETTINGS), options);
          expect(within).to.deep.include({ app: APP, wait: '5s', scans: byKeys ? 'off' : 'on' });
          const [after] = await database.read({ name: 'settings_now', text: SETTINGS });
          expect(after).to.deep.equal({ ...before, app: '' });
          expect(after).to.deep.include({
            plans: 'auto',
            scans: 'on',
            hashes: 'on',
            merges: 'on',
            wait: '0',
          });
        });
      });

    it('commits and runs its hooks when it sends nothing', async () => {
      expect(await outcomeOf(() => Promise.resolve(), true)).to.deep.equal({
        error: 'none',
        hooks: 1,
        left: [],
      });
    });
  });
