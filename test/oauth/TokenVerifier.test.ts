import { once } from 'node:events';
import { expect } from 'chai';
import type pg from 'pg';
import type { Database } from '../../src/database/Database.js';
import { Notices } from '../../src/database/Notices.js';
import { TokenVerifier } from '../../src/oauth/TokenVerifier.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import type { TestApp, TestNode } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';
import { obtainTokens } from './obtainTokens.js';

describe('TokenVerifier', () => {
  let harness: OauthHarness;
  let second: TestNode;
  let app: TestApp;
  /** Of a verifier of the test's own, which starts them. */
  let notices: Notices;

  before(async () => {
    harness = await OauthHarness.open();
    second = await harness.addNode();
  });
  beforeEach(async () => {
    app = await harness.addApp();
    notices = new Notices(second.services);
  });
  afterEach(() => notices.close());
  after(() => harness.close());

  async function outcome(token: string, verifier = second.server.verifier): Promise<string> {
    const caller = await verifier.verify(token);
    return caller.kind === 'app' ? [...caller.scopes].join(' ') : caller.kind;
  }

  /** Milliseconds until the verifier says something else than `before`. */
  async function changeAfter(
    token: string,
    before: string,
    verifier = second.server.verifier,
  ): Promise<number> {
    const started = performance.now();
    while ((await outcome(token, verifier)) === before) {
      if (performance.now() - started > 15_000) throw new Error('It never changed.');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - started;
  }

  type Change = (token: string, accountId: string, app: TestApp) => Promise<unknown>;
  const changes: [string, string, Change][] = [
    ['a revoked token', 'anonymous', (token, _, owner) => harness.post('/oauth/revoke', { token }, owner)],
    [
      'a disabled app',
      'anonymous',
      (_token, _id, { appId }) =>
        harness.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [appId]),
    ],
    [
      'a removed member',
      'anonymous',
      (_, id) => harness.sql('DELETE FROM app_members WHERE account_id = $1', [id]),
    ],
    [
      'a removed account',
      'anonymous',
      (_, id) => harness.sql('DELETE FROM accounts WHERE account_id = $1', [id]),
    ],
    [
      'a narrowed app',
      'claims:read',
      (_token, _id, { appId }) =>
        harness.sql(`UPDATE apps SET allowed_scopes = '{claims:read}' WHERE app_id = $1`, [appId]),
    ],
    [
      'a narrowed member',
      'customers:read',
      (_, id) =>
        harness.sql(`UPDATE app_members SET scopes = '{customers:read}' WHERE account_id = $1`, [id]),
    ],
  ];

  for (const [title, after, change] of changes) {
    it(`applies ${title} within 1 s on another node`, async () => {
      const { accountId, tokens } = await obtainTokens(harness, app, 'customers:read claims:read');
      const token = tokens.access_token;
      const before = await outcome(token);
      expect(before).to.equal('customers:read claims:read');
      await change(token, accountId, app);
      expect(await changeAfter(token, before)).to.be.below(1000);
      expect(await outcome(token)).to.equal(after);
    });
  }

  it('applies each of these changes within 10 s when the notice is lost', async function lost() {
    await Promise.all(changes.map(([title, after, change]) => showChangeWithoutNotice(title, after, change)));
  });

  async function showChangeWithoutNotice(title: string, after: string, change: Change): Promise<void> {
    const own = await harness.addApp();
    const { accountId, tokens } = await obtainTokens(harness, own, 'customers:read claims:read');
    const unheard = await deafened(second);
    const deaf = new TokenVerifier({ ...second.services, notices: unheard });
    try {
      const before = await outcome(tokens.access_token, deaf);
      await change(tokens.access_token, accountId, own);
      const took = await changeAfter(tokens.access_token, before, deaf);
      // It was remembered, or this test would show nothing.
      expect(took, title).to.be.within(500, 10_000);
      expect(await outcome(tokens.access_token, deaf), title).to.equal(after);
    } finally {
      await unheard.close();
    }
  }

  /** Notices that believe they are heard, with a connection that none reaches. */
  async function deafened({ services }: TestNode): Promise<Notices> {
    const unheard = new Notices(services);
    await unheard.start();
    await harness.sql('SELECT 1');
    await clientOf(unheard).query('UNLISTEN *');
    return unheard;
  }

  it('receives notices again after its connection was terminated', async () => {
    const token = await harness.appToken(app, 'customers:read');
    expect(await outcome(token)).to.equal('customers:read');
    await harness
      .sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE application_name = 'consent-notices' AND datname = current_database()`,
      )
      .catch(() => []);
    await harness.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [app.appId]);
    expect(await changeAfter(token, 'customers:read')).to.be.below(1000);
  });

  it('refuses a remembered token after its expiry', async () => {
    const token = await harness.appToken(app, 'customers:read');
    await harness.sql(
      `UPDATE oauth_artifacts SET expires_at = now() + interval '5 seconds' WHERE id_hash = $1`,
      [hashSecretToken(token)],
    );
    const verifier = new TokenVerifier({ ...second.services, notices });
    await notices.start();
    expect(await outcome(token, verifier)).to.equal('customers:read');
    await changeAfter(token, 'customers:read', verifier);
    expect(await outcome(token, verifier)).to.equal('anonymous');
  });

  it('reads a token once for many requests in a row', async () => {
    const counted = countingReads(second);
    const verifier = new TokenVerifier({ ...counted.services, notices });
    await notices.start();
    const token = await harness.appToken(app, 'customers:read');
    for (let count = 0; count < 50; count += 1) await verifier.verify(token);
    expect(counted.reads()).to.equal(1);
  });

  it('reads a token once for many requests at once', async () => {
    const counted = countingReads(second);
    const verifier = new TokenVerifier({ ...counted.services, notices });
    await notices.start();
    const token = await harness.appToken(app, 'customers:read');
    const callers = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)));
    expect(new Set(callers.map(({ kind }) => kind))).to.deep.equal(new Set(['app']));
    expect(counted.reads()).to.equal(1);
  });

  it('does not remember a token that was revoked during its read', async () => {
    const token = await harness.appToken(app, 'customers:read');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let hasRead: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    const database = aroundReads(second.services.database, async (rows) => {
      await rows;
      hasRead();
      await held;
      return rows;
    });
    const verifier = new TokenVerifier({ ...second.services, database, notices });
    await notices.start();
    const begun = verifier.verify(token);
    await read;
    const heard = once(clientOf(notices), 'notification');
    await harness.post('/oauth/revoke', { token }, app);
    await heard;
    release();
    expect((await begun).kind).to.equal('app');
    expect(await outcome(token, verifier)).to.equal('anonymous');
  });

  function clientOf(heard: Notices): pg.Client {
    return Reflect.get(heard, 'client') as pg.Client;
  }

  function countingReads({ services }: TestNode): { services: TestNode['services']; reads: () => number } {
    let reads = 0;
    const database = aroundReads(services.database, (rows) => {
      reads += 1;
      return rows;
    });
    return { services: { ...services, database }, reads: () => reads };
  }

  /** The database, and its urgent view, with something done around every read. */
  function aroundReads(
    database: Database,
    around: (rows: Promise<Record<string, unknown>[]>) => Promise<Record<string, unknown>[]>,
  ): Database {
    return new Proxy(database, {
      get(target, name) {
        if (name === 'urgent') return aroundReads(target.urgent, around);
        if (name === 'read') return (...args: Parameters<typeof target.read>) => around(target.read(...args));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  for (const token of [
    '',
    'x',
    'a'.repeat(43),
    `${'a'.repeat(43)}'; --`,
    'a'.repeat(10_000),
    'é'.repeat(43),
  ]) {
    it(`refuses ${JSON.stringify(token.slice(0, 50))}`, async () => {
      expect(await second.server.verifier.verify(token)).to.have.property('kind', 'anonymous');
    });
  }

  it('refuses a refresh token and a session id', async () => {
    const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    expect(await outcome(tokens.refresh_token ?? '')).to.equal('anonymous');
    const kinds = await harness.sql('SELECT DISTINCT kind FROM oauth_artifacts');
    expect(kinds.map(({ kind }) => kind)).to.include.members([
      'RefreshToken',
      'Grant',
      'Session',
      'AuthorizationCode',
    ]);
    await harness.sql(
      `UPDATE oauth_artifacts SET id_hash = $1 WHERE kind = 'Session'
                        AND id_hash = (SELECT id_hash FROM oauth_artifacts WHERE kind = 'Session' LIMIT 1)`,
      [hashSecretToken('s'.repeat(43))],
    );
    expect(await outcome('s'.repeat(43))).to.equal('anonymous');
  });

  it('fails when the database cannot be read', async () => {
    const token = await harness.appToken(app);
    const database = { ...second.services.database, read: () => Promise.reject(new Error('gone')) };
    const verifier = new TokenVerifier({ ...second.services, database: database as never });
    const error = await verifier.verify(token).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
