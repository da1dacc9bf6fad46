import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { deleteAccount } from '../../src/accounts/deleteAccount.js';
import { startService } from '../../src/app.js';
import { contextAt } from '../../src/commands/CommandContext.js';
import { revokeConsentReceipt } from '../../src/commands/revokeConsentReceipt.js';
import { configFrom } from '../../src/config.js';
import { RevocationJournal } from '../../src/database/RevocationJournal.js';
import type { Journal } from '../../src/database/RevocationJournal.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { linkedPerson } from '../support/linkedPerson.js';
import { grant, makeCustomer } from '../support/records.js';
import { sessionOf } from '../support/sessionOf.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { testEnvironment, TestService } from '../support/TestService.js';

/** Something that a journal has an entry of. */
interface Withdrawal {
  /** The table that it writes last; whoever locks it makes the withdrawal run out of time. */
  writes: string;
  /** Its status, or what it threw. */
  attempt: () => Promise<number | string | undefined>;
  /** Whether it was carried out. */
  isDone: () => Promise<boolean>;
}

/** The connections of a pool of pg, as far as its typings omit them. */
interface Clients {
  _clients: { _queryable: boolean }[];
}

describe('a withdrawal that fails, beside a journal of withdrawals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'consent-journal-'));
  let live: TestService;
  let app: TestPartner;
  let journal: Journal;
  let append: Journal['append'];

  before(async () => {
    live = await TestService.start({ REVOCATION_JOURNAL: folder, STATEMENT_TIMEOUT_MS: '500' });
    app = await live.makeApp();
    ({ journal } = (live.services.database as unknown as { options: { journal: Journal } }).options);
    append = journal.append.bind(journal);
  });
  afterEach(() => {
    journal.append = append;
  });
  after(async () => {
    await live.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One more process starts, and so reads the journal. */
  async function restart(): Promise<void> {
    const env = { ROLE: 'gateway', REVOCATION_JOURNAL: folder };
    const node = await startService(configFrom(testEnvironment(0, live.database.ownerUrl, env)));
    await node.stop();
  }

  const profileOf = async (customer: string): Promise<number> =>
    (await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`)).status;

  const written = (): string =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');

  const withdrawals: Record<string, () => Promise<Withdrawal>> = {
    'the withdrawal of a consent': async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization');
      return {
        writes: 'consent_ledger',
        attempt: async () => (await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {})).status,
        isDone: async () => (await profileOf(customer)) === 403,
      };
    },
    'the erasure of a customer': async () => {
      const customer = await makeCustomer(app);
      return {
        writes: 'consent_ledger',
        attempt: async () => (await app.rest('DELETE', `/v1/customers/${customer}`)).status,
        isDone: async () => (await app.rest('GET', `/v1/customers/${customer}`)).status === 404,
      };
    },
    'the deletion of an app': async () => {
      const { appId } = await live.makeApp();
      const path = `${live.url}/operator/apps/${appId}?confirm=${appId}`;
      const headers = { 'x-service-admin-key': TEST_ADMIN_KEY };
      return {
        writes: 'work_queue',
        attempt: async () => (await fetch(path, { method: 'DELETE', headers })).status,
        isDone: async () =>
          (await live.sql('SELECT FROM app_erasures WHERE app_id = $1', [appId])).length > 0,
      };
    },
    'the deletion of an account': async () => {
      const { accountId } = await linkedPerson(live, app);
      const session = await sessionOf(live, accountId);
      return {
        writes: 'work_queue',
        attempt: () => deleteAccount(live.services, session).catch((error: Error) => error.message),
        isDone: async () =>
          (await live.sql('SELECT FROM account_erasures WHERE account_id = $1', [accountId])).length > 0,
      };
    },
  };

  /** Ends the connection of the transaction that rests, and waits until the service knows. */
  async function cutResting(): Promise<void> {
    // Others are between two statements for a moment.
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND state = 'idle in transaction'
                    AND state_change < clock_timestamp() - interval '300 ms'`;
    while ((await live.sql(cut)).length === 0) await new Promise((wake) => setTimeout(wake, 50));
    const { pool, reserve } = live.services.database as unknown as Record<'pool' | 'reserve', Clients>;
    const { _clients: common } = pool;
    const { _clients: reserved } = reserve;
    while ([...common, ...reserved].every(({ _queryable: isAlive }) => isAlive))
      await new Promise((wake) => setTimeout(wake, 5));
  }

  for (const [name, prepare] of Object.entries(withdrawals)) {
    it(`leaves nothing behind when a statement ran out of time: ${name}`, async () => {
      const { writes, attempt, isDone } = await prepare();
      const before = written();
      const other = new pg.Client({ connectionString: live.database.ownerUrl });
      await other.connect();
      await other.query('BEGIN');
      await other.query(`LOCK TABLE ${writes}`);
      const answer = await attempt();
      await other.end();
      expect(answer).to.be.oneOf([503, 'canceling statement due to statement timeout']);
      await restart();
      expect(await isDone()).to.equal(false);
      expect(written(), 'nothing was written').to.equal(before);
      expect(await attempt()).not.to.be.oneOf([503, 'canceling statement due to statement timeout']);
      expect(await isDone()).to.equal(true);
    });

    it(`is not carried out when its connection was lost before the commit: ${name}`, async () => {
      const { attempt, isDone } = await prepare();
      let times = 0;
      journal.append = async (...entries) => {
        await append(...entries);
        if ((times += 1) === 1) await cutResting();
      };
      expect(await attempt()).to.be.oneOf([
        503,
        'Client has encountered a connection error and is not queryable',
      ]);
      await restart();
      expect(await isDone()).to.equal(false);
      expect(times, 'an entry and its void').to.equal(2);
    });
  }

  const ofConsent = withdrawals['the withdrawal of a consent'];

  async function withdrawal(): Promise<Withdrawal> {
    if (ofConsent === undefined) throw new Error('There is none.');
    return ofConsent();
  }

  it('is not carried out when the commit was answered with a rollback', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const { database, clock } = live.services;
    let open: Transaction | undefined;
    journal.append = async (...entries) => {
      await append(...entries);
      await open?.query('SELECT 1 / 0').catch(() => undefined);
      open = undefined;
    };
    const revoked = database.transaction(app.appId, (tx) => {
      open = tx;
      const input = { purposes: ['personalization' as const], reason: null, note: null };
      return revokeConsentReceipt(tx, contextAt(app.appId, clock), receipt, input);
    });
    const refused = await revoked.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refused).to.equal('The transaction was rolled back at its commit.');
    await restart();
    expect(await profileOf(customer)).to.equal(200);
  });

  it('is not carried out when the failed write to the journal left its entry', async () => {
    const { attempt, isDone } = await withdrawal();
    let times = 0;
    journal.append = async (...entries) => {
      await append(...entries);
      if ((times += 1) === 1) throw new Error('No space left on device');
    };
    expect(await attempt()).to.equal(500);
    await restart();
    expect(await isDone()).to.equal(false);
  });

  it('is carried out when the journal cannot be told of the rollback', async () => {
    const { attempt, isDone } = await withdrawal();
    let times = 0;
    journal.append = async (...entries) => {
      if ((times += 1) > 1) throw new Error('No space left on device');
      await append(...entries);
      await cutResting();
    };
    expect(await attempt()).to.equal(500);
    expect(await isDone()).to.equal(false);
    await restart();
    expect(await isDone()).to.equal(true);
  });

  it('is carried out when its connection was lost at the commit: nobody knows whether it did', async () => {
    const { attempt, isDone } = await withdrawal();
    await live.sql(`CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END'`);
    await live.sql(`CREATE CONSTRAINT TRIGGER rests AFTER INSERT ON consent_ledger
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION rest()`);
    const answer = attempt();
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND wait_event = 'PgSleep' AND query = 'COMMIT'`;
    while ((await live.sql(cut)).length === 0) await new Promise((wake) => setTimeout(wake, 5));
    expect(await answer).to.equal(503);
    await live.sql('DROP TRIGGER rests ON consent_ledger');
    expect(await isDone()).to.equal(false);
    await restart();
    expect(await isDone()).to.equal(true);
  });

  it('is voided for all of its entries and for no other, also in a later file', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const own = new RevocationJournal(place);
    const entry = { at: new Date().toISOString(), kind: 'account_deleted', account_id: 'acc_1' } as const;
    await own.append({ ...entry, id: 'a' }, { ...entry, id: 'a' });
    await own.append(entry, { ...entry, id: 'b' });
    Object.assign(own, { day: '2025-01-31' });
    await own.append({ at: entry.at, kind: 'void', of: 'a', app_id: '' }, { ...entry, id: 'c' });
    expect(readdirSync(place).filter((name) => name.endsWith('.jsonl'))).to.have.length(2);
    const read = [];
    for await (const one of new RevocationJournal(place).entries()) read.push(one);
    expect(read).to.have.deep.members([entry, { ...entry, id: 'b' }, { ...entry, id: 'c' }]);
    await own.close();
    rmSync(place, { recursive: true });
  });
});
