import { expect } from 'chai';
import pg from 'pg';
import { cancelConnectionSession } from '../../src/commands/cancelConnectionSession.js';
import { createConnectionSession } from '../../src/commands/createConnectionSession.js';
import type { CreateConnectionSessionInput } from '../../schema/inputs/ConnectionSessionInput.js';
import { createConsentReceipt } from '../support/createConsentReceipt.js';
import { decideConnection } from '../../src/commands/decideConnection.js';
import { readConnectionSession } from '../../src/commands/readConnectionSession.js';
import { redeemConnectionToken } from '../../src/commands/redeemConnectionToken.js';
import { revokeConsentReceipt } from '../../src/commands/revokeConsentReceipt.js';
import { withdrawConnection } from '../../src/commands/withdrawConnection.js';
import { Database } from '../../src/database/Database.js';
import { PURPOSES } from '../../src/domain/purposes.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { ServiceError } from '../../src/errors.js';
import { expireConnectionSession } from '../../src/jobs/expireConnectionSession.js';
import type { TestDatabase } from '../support/database.js';
import { createTestDatabase } from '../support/database.js';

const APP = 'app_a';
const OTHER_APP = 'app_b';
const ACCOUNT = 'acc_a';
const BACK = 'https://partner.example/back';
const START = Date.parse('2026-11-20T08:00:00.000Z');

describe('A connection session', () => {
  let store: TestDatabase;
  let owner: pg.Client;
  let database: Database;
  let now = START;
  const clock = (): Date => new Date(now);
  const context = {
    appId: APP,
    clock,
    baseUrl: 'http://localhost:4000',
    secrets: new SecretBox('of this test'),
  };

  before(async () => {
    store = await createTestDatabase();
    database = new Database({ url: store.serviceUrl, poolSize: 4 });
    owner = new pg.Client({ connectionString: store.ownerUrl });
    await owner.connect();
    await owner.query(`
      INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, allowed_consent_purposes,
        allowed_mask, status, created_at, updated_at)
      SELECT id, 'Acme', 'public', '{${BACK}}', '{}', '{analytics,support,measurement}', 76, 'active', now(),
             now() FROM unnest(ARRAY['${APP}', '${OTHER_APP}']) id;
      INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
      SELECT '${APP}', id, id, 'active', now(), now() FROM unnest(ARRAY['cus_a', 'cus_b']) id;
      INSERT INTO customer_heads (app_id, customer_id, changed_at) VALUES ('${APP}', 'cus_a', now()),
        ('${APP}', 'cus_b', now());
      INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at)
        VALUES ('${ACCOUNT}', 'p@example.org', true, now(), now());
      INSERT INTO webhook_endpoints (app_id, endpoint_id, url, enabled_events, status, secret, created_at,
        updated_at)
      VALUES ('${APP}', 'whe_a', 'https://partner.example/hook', '{*}', 'active', 'x', now(), now());`);
  });

  beforeEach(async () => {
    now = START;
    await owner.query(
      'DELETE FROM connection_sessions; DELETE FROM work_queue; DELETE FROM outbox; DELETE FROM account_links',
    );
  });

  after(async () => {
    await owner.end();
    await database.close();
    await store.drop();
  });

  function create(input: Partial<CreateConnectionSessionInput> = {}) {
    const whole = {
      customerId: 'cus_a',
      requestedPurposes: ['analytics', 'support'] as Purpose[],
      redirectUri: BACK,
      ...input,
    };
    return database.transaction(APP, (tx) => createConnectionSession(tx, context, whole));
  }

  const decide = (sessionId: string, purposes: Purpose[]) =>
    database.transaction(APP, (tx) =>
      decideConnection(tx, context, { sessionId, accountId: ACCOUNT, purposes }),
    );

  const complete = (sessionId: string, purposes: Purpose[], customerId = 'cus_a') =>
    database.transaction(APP, (tx) =>
      createConsentReceipt(
        tx,
        { ...context, now: clock(), rejected: new Map() },
        { connectionSessionId: sessionId, customerId, purposes },
      ),
    );

  const cancel = (id: string, appId = APP) =>
    database.transaction(appId, (tx) => cancelConnectionSession(tx, context, id));

  const redeem = (sessionId: string, clientToken: string) =>
    database.transaction(null, (tx) => redeemConnectionToken(tx, clock, { sessionId, clientToken }));

  const statusNow = async (id: string) => (await readConnectionSession({ database, clock }, APP, id))?.status;

  async function announced(): Promise<string[]> {
    const { rows } = await owner.query<{ type: string }>('SELECT type FROM outbox ORDER BY message_id');
    return rows.map((row) => row.type);
  }

  it('begins with a single-use token that is stored as a hash only, for half an hour', async () => {
    const { session, clientToken, connectionUrl } = await create();
    expect(session).to.include({
      appId: APP,
      customerId: 'cus_a',
      status: 'created',
      consentReceiptId: null,
      serviceUserId: null,
    });
    expect(session.expiresAt).to.equal('2026-11-20T08:30:00.000Z');
    expect(Buffer.from(clientToken, 'base64url')).to.have.length(32);
    expect(connectionUrl).to.equal(`http://localhost:4000/connect/${session.id}?client_token=${clientToken}`);
    const { rows } = await owner.query('SELECT to_jsonb(l)::text AS link FROM connection_links l');
    expect(rows[0].link).not.to.include(clientToken);
  });

  it('names every reference that is invalid', async () => {
    const failure = await failureOf(
      create({
        customerId: 'cus_none',
        requestedPurposes: ['analytics', 'account_linking'],
        redirectUri: `${BACK}/`,
      }),
    );
    expect(failure.status).to.equal(422);
    expect(failure.facts.details?.map(({ code, field }) => [code, field])).to.deep.equal([
      ['unknown_reference', 'customer_id'],
      ['purpose_not_allowed', 'requested_purposes[1]'],
      ['redirect_uri_not_allowed', 'redirect_uri'],
    ]);
  });

  it('goes from created to authorized to completed and announces it to webhooks', async () => {
    const { session } = await create();
    const decided = await decide(session.id, ['support', 'measurement']);
    expect(decided).to.include({ status: 'authorized', service_user_id: ACCOUNT });
    expect(decided?.approved_purposes, 'never what was not asked').to.deep.equal(['support']);
    const receipt = await complete(session.id, ['support']);
    expect(await readConnectionSession({ database, clock }, APP, session.id)).to.include({
      status: 'completed',
      consent_receipt_id: receipt.id,
    });
    expect(await announced()).to.deep.equal([
      'connection_session.authorized',
      'connection_session.completed',
      'consent.granted',
    ]);
    const links = await owner.query('SELECT account_id, customer_id FROM account_links');
    expect(links.rows).to.deep.equal([{ account_id: ACCOUNT, customer_id: 'cus_a' }]);
  });

  it('ends as revoked when the person declines, and links nothing', async () => {
    const { session } = await create();
    expect(await decide(session.id, [])).to.include({
      status: 'revoked',
      revoked_by: 'person',
      service_user_id: null,
    });
    expect((await owner.query('SELECT 1 FROM account_links')).rowCount).to.equal(0);
    expect(await announced()).to.deep.equal(['connection_session.revoked']);
  });

  it('is decided once', async () => {
    const { session } = await create();
    await decide(session.id, ['analytics']);
    expect(await decide(session.id, [])).to.include({ status: 'authorized' });
    expect(await decide(session.id, ['support'])).to.deep.include({ approved_purposes: ['analytics'] });
  });

  it('completes only when authorized, for its customer, with approved purposes', async () => {
    const { session } = await create();
    expect((await failureOf(complete(session.id, ['measurement']))).code, 'whatever the purposes').to.equal(
      'conflict',
    );
    await decide(session.id, ['analytics']);
    expect(codesOf(await failureOf(complete(session.id, ['analytics', 'support'])))).to.deep.equal([
      'purpose_not_approved',
    ]);
    expect(codesOf(await failureOf(complete(session.id, ['analytics'], 'cus_b')))).to.deep.equal([
      'customer_mismatch',
    ]);
    expect(codesOf(await failureOf(complete(session.id, ['support'], 'cus_b')))).to.deep.equal([
      'customer_mismatch',
      'purpose_not_approved',
    ]);
    expect(codesOf(await failureOf(complete('cs_none', ['analytics'])))).to.deep.equal(['unknown_reference']);
    expect(await statusNow(session.id)).to.equal('authorized');
    await complete(session.id, ['analytics']);
    expect((await failureOf(complete(session.id, ['analytics']))).code, 'a second time').to.equal('conflict');
  });

  describe('taken back', () => {
    const withdraw = (purposes?: Purpose[]) =>
      database.transaction(APP, (tx) =>
        withdrawConnection(
          tx,
          { ...context, now: clock(), rejected: new Map() },
          { customerId: 'cus_a', accountId: ACCOUNT, ...(purposes && { purposes }) },
        ),
      );
    const revoke = (id: string, purposes: Purpose[]) =>
      database.transaction(APP, (tx) =>
        revokeConsentReceipt(tx, { ...context, now: clock(), rejected: new Map() }, id, { purposes }),
      );
    const grantedNow = async (): Promise<string[]> => {
      const { rows } = await owner.query<{ purpose: number }>(
        `SELECT purpose FROM customer_consents WHERE customer_id = 'cus_a' AND status = 'granted'
          ORDER BY purpose`,
      );
      return rows.map(({ purpose }) => PURPOSES[purpose] ?? '');
    };

    afterEach(() => withdraw());

    it('loses the purpose withdrawn, in every session of the customer, and keeps the others', async () => {
      const first = (await create()).session.id;
      const second = (await create({ requestedPurposes: ['analytics'] })).session.id;
      const other = (await create({ customerId: 'cus_b' })).session.id;
      for (const id of [first, second, other]) await decide(id, ['analytics', 'support']);
      expect((await withdraw(['analytics'])).purposes).to.deep.equal(['analytics']);
      const read = (id: string) => readConnectionSession({ database, clock }, APP, id);
      expect(await read(first)).to.deep.include({
        status: 'authorized',
        approved_purposes: ['support'],
        withdrawn_purposes: ['analytics'],
      });
      expect(await read(second)).to.deep.include({
        status: 'revoked',
        revoked_by: 'person',
        approved_purposes: [],
      });
      expect(await read(other)).to.deep.include({ approved_purposes: ['analytics', 'support'] });
      for (const id of [first, second])
        expect(codesOf(await failureOf(complete(id, ['analytics'])))).to.deep.equal(['purpose_not_approved']);
      await complete(first, ['support']);
      expect(await grantedNow()).to.deep.equal(['support']);
    });

    it('tells webhooks what is left', async () => {
      const { session } = await create();
      await decide(session.id, ['analytics', 'support']);
      await withdraw(['analytics']);
      await withdraw(['support']);
      const { rows } = await owner.query('SELECT type, data FROM outbox ORDER BY message_id');
      expect(rows.map(({ type, data }) => [type, data.approved_purposes])).to.deep.equal([
        ['connection_session.authorized', ['analytics', 'support']],
        ['connection_session.authorized', ['support']],
        ['connection_session.revoked', []],
      ]);
    });

    it("loses the purpose of the partner's own revoke", async () => {
      const granted = (await create()).session.id;
      await decide(granted, ['analytics', 'support']);
      const receipt = await complete(granted, ['analytics', 'support']);
      const waiting = (await create()).session.id;
      await decide(waiting, ['analytics']);
      await revoke(receipt.id, ['analytics']);
      expect(await readConnectionSession({ database, clock }, APP, waiting)).to.include({
        status: 'revoked',
        revoked_by: 'partner',
      });
      expect(codesOf(await failureOf(complete(waiting, ['analytics'])))).to.deep.equal([
        'purpose_not_approved',
      ]);
      expect(
        await readConnectionSession({ database, clock }, APP, granted),
        'it stays completed',
      ).to.deep.include({
        status: 'completed',
        approved_purposes: ['support'],
        consent_receipt_id: receipt.id,
      });
      expect(await grantedNow()).to.deep.equal(['support']);
    });

    it('leaves the approvals of sessions that have ended, whose status and announcements stay', async () => {
      const completed = (await create()).session.id;
      const canceled = (await create()).session.id;
      const lapsed = (await create({ expiresIn: 60 })).session.id;
      const swept = (await create({ expiresIn: 60 })).session.id;
      const foreign = (await create({ customerId: 'cus_b' })).session.id;
      for (const id of [completed, canceled, lapsed, swept, foreign])
        await decide(id, ['analytics', 'support']);
      await complete(completed, ['analytics']);
      await cancel(canceled);
      now = START + 60_000;
      await expireConnectionSession({ database, clock }, APP, swept);
      const before = await announced();
      await withdraw(['analytics']);
      const shown = async (id: string): Promise<unknown[]> => {
        const session = await readConnectionSession({ database, clock }, APP, id);
        return [session?.status, session?.approved_purposes];
      };
      expect(await Promise.all([completed, canceled, lapsed, swept, foreign].map(shown))).to.deep.equal([
        ['completed', ['support']],
        ['revoked', ['support']],
        ['expired', ['support']],
        ['expired', ['support']],
        ['authorized', ['analytics', 'support']],
      ]);
      await withdraw(['support']);
      expect(await shown(completed)).to.deep.equal(['completed', []]);
      const since = (await announced())
        .slice(before.length)
        .filter((type) => type.startsWith('connection_session.'));
      expect(since, 'the one that lapsed unnoticed').to.deep.equal(['connection_session.expired']);
    });

    it('is a conflict once the session ended otherwise, withdrawn before or after', async () => {
      const decided = async (expiresIn: number): Promise<string> => {
        const { id } = (await create({ expiresIn })).session;
        await decide(id, ['analytics', 'support']);
        return id;
      };
      const canceled = await decided(600);
      const completed = await decided(600);
      const lapsed = await decided(60);
      await withdraw(['analytics']);
      await cancel(canceled);
      await complete(completed, ['support']);
      const canceledBefore = await decided(600);
      await cancel(canceledBefore);
      await withdraw(['analytics']);
      now = START + 60_000;
      for (const id of [canceled, completed, lapsed, canceledBefore])
        expect((await failureOf(complete(id, ['analytics']))).code).to.equal('conflict');
    });

    it('can be approved anew afterwards', async () => {
      const before = (await create()).session.id;
      await decide(before, ['analytics']);
      await withdraw(['analytics']);
      const later = (await create()).session.id;
      await decide(later, ['analytics']);
      await complete(later, ['analytics']);
      expect(await grantedNow()).to.deep.equal(['analytics']);
    });

    it('is not used after its expiry by a node whose clock is behind', async () => {
      const { session } = await create({ expiresIn: 60 });
      await decide(session.id, ['analytics']);
      now = START + 60_000;
      expect((await withdraw(['analytics'])).purposes).to.deep.equal([]);
      now = START + 59_000;
      expect((await failureOf(complete(session.id, ['analytics']))).code).to.equal('conflict');
    });

    it('stays withdrawn when an approval and a receipt commit at the same time in any order', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { session } = await create();
        const before = (await create()).session.id;
        await decide(before, ['analytics']);
        const [, recorded] = await Promise.all([
          decide(session.id, ['analytics']),
          complete(before, ['analytics']).then(
            () => true,
            () => false,
          ),
          withdraw(['analytics']),
        ]);
        expect(
          await grantedNow(),
          `the older approval was ${recorded ? 'recorded' : 'refused'}`,
        ).to.deep.equal([]);
        // The approval was either before the withdrawal, which ended it, or after it and stands.
        const { rows } = await owner.query<{ status: string }>(
          'SELECT status FROM connection_sessions WHERE session_id = $1',
          [session.id],
        );
        const later = await complete(session.id, ['analytics']).then(
          () => 'authorized',
          () => 'revoked',
        );
        expect(later).to.equal(rows[0]?.status);
        await withdraw();
      }
    });
  });

  it('reads as expired from its expiry on, before the worker stores it as expired', async () => {
    const open = (await create({ expiresIn: 60 })).session.id;
    const decided = (await create({ expiresIn: 60 })).session.id;
    await decide(decided, ['analytics']);
    now = START + 59_999;
    expect([await statusNow(open), await statusNow(decided)]).to.deep.equal(['created', 'authorized']);
    now = START + 60_000;
    expect([await statusNow(open), await statusNow(decided)]).to.deep.equal(['expired', 'expired']);
    now = START + 59_000; // Another node whose clock is behind.
    expect(await decide(open, ['analytics'])).to.include({ status: 'expired' });
    expect((await failureOf(complete(decided, ['analytics']))).code).to.equal('conflict');
    expect((await cancel(open)).status).to.equal('expired');
  });

  it('is canceled by its partner, and left as it is when it has ended', async () => {
    const { session } = await create();
    expect((await cancel(session.id)).status).to.equal('revoked');
    expect((await cancel(session.id)).status).to.equal('revoked');
    expect(await decide(session.id, ['analytics'])).to.include({ status: 'revoked', revoked_by: 'partner' });
    expect(await announced()).to.deep.equal(['connection_session.revoked']);
    expect((await failureOf(cancel(session.id, OTHER_APP))).code, 'for another app there is none').to.equal(
      'not_found',
    );
  });

  it('goes to one of several browsers that redeem it at once', async () => {
    const { session, clientToken } = await create();
    expect(await redeem(session.id, `${clientToken.slice(0, -1)}_`)).to.equal(undefined);
    const browsers = await Promise.all(Array.from({ length: 8 }, () => redeem(session.id, clientToken)));
    expect(browsers.filter((browser) => browser !== undefined)).to.have.length(1);
    expect(await redeem(session.id, clientToken)).to.equal(undefined);
  });

  it('accepts either a decision or a cancel at the same time, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { session } = await create();
      const [decided, canceled] = await Promise.all([decide(session.id, ['analytics']), cancel(session.id)]);
      expect(['authorized', 'revoked']).to.include(decided?.status);
      expect(canceled.status).to.equal('revoked');
      expect(await statusNow(session.id)).to.equal('revoked');
    }
  });

  it('is stored as expired by the worker, with one webhook message', async () => {
    const expired = (await create({ expiresIn: 60 })).session.id;
    const revoked = (await create({ expiresIn: 60 })).session.id;
    const open = (await create({ expiresIn: 3600 })).session.id;
    await cancel(revoked);
    now = START + 61_000;
    for (const id of [expired, revoked, open, expired])
      await expireConnectionSession({ database, clock }, APP, id);
    const { rows: left } = await owner.query(
      `SELECT subject FROM work_queue WHERE queue = 'connection_session'`,
    );
    expect(left, 'still in the queue').to.deep.equal([{ subject: open }]);
    const { rows } = await owner.query(
      'SELECT session_id, status FROM connection_sessions ORDER BY session_id',
    );
    expect(rows.map((row) => [row.session_id, row.status])).to.deep.equal([
      [expired, 'expired'],
      [revoked, 'revoked'],
      [open, 'created'],
    ]);
    expect(await announced()).to.deep.equal(['connection_session.revoked', 'connection_session.expired']);
  });
});

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

function codesOf(failure: ServiceError): string[] {
  return failure.facts.details?.map((detail) => detail.code) ?? [];
}
