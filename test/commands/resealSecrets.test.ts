import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { resealSecrets } from '../../src/commands/resealSecrets.js';
import { Database } from '../../src/database/Database.js';
import { serviceLogin } from '../../src/database/serviceLogin.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { Browser } from '../oauth/Browser.js';
import { recordProof } from '../support/recordProof.js';
import { freshKey } from '../support/TestPartner.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const OLD = 'the-old-secrets-key-of-32-characters-or-more';
const NEW = 'the-new-secrets-key-of-32-characters-or-more';
const [oldBox, newBox] = [new SecretBox(OLD), new SecretBox(NEW)];
/** Answers that are replayed again and again. */
const MAX_KEPT = 16;

const both = new SecretBox(NEW, [OLD]);

/** Ends the work before its `left`-th statement, as a kill would. */
function killedAfter(database: Database, left: number): Database {
  let count = left;
  const step = (): void => {
    count -= 1;
    if (count < 0) throw new Error('killed');
  };
  const inTransaction = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get: (target, name) => {
        if (name === 'execute') step();
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  return new Proxy(database, {
    get: (target, name) => {
      if (name === 'transaction')
        return (appId: string | null, work: (tx: Transaction) => Promise<unknown>) => {
          step();
          return target.transaction(appId, async (tx) => {
            const result = await work(inTransaction(tx));
            // The last moment before the commit.
            step();
            return result;
          });
        };
      if (name === 'read' || name === 'readAs') step();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('A change of SECRETS_KEY', function () {
  this.timeout(240_000);
  let service: TestService;
  let owner: Database;
  let app: TestPartner;
  const made: { key: string; path: string; body: unknown; answer: Answer }[] = [];

  before(async () => {
    service = await TestService.start({ SECRETS_KEY: OLD, ROLE: 'gateway' });
    owner = new Database({ url: service.database.ownerUrl, poolSize: 2 });
    app = await service.makeApp();
  });
  after(async () => {
    await owner.close();
    await service.stop();
  });

  /** A write whose answer shows a secret once, at one node; replays must show the same. */
  async function makeSecret(by: TestPartner): Promise<void> {
    const key = freshKey();
    const url = `https://hooks.example/${key}`;
    const [path, body] = ['/v1/webhook-endpoints', { url, enabled_events: ['*'] }];
    const answer = await by.rest('POST', path, body, { 'idempotency-key': key });
    expect(answer.status).to.equal(201);
    if (made.length < MAX_KEPT) made.push({ key, path, body, answer });
    const rotated = await by.rest('POST', `${path}/${answer.body.endpoint.id}/rotate-secret`, {});
    expect(rotated.status).to.equal(200);
  }

  async function expectReplays(by: TestPartner): Promise<void> {
    for (const { key, path, body, answer } of made) {
      const replayed = await by.rest('POST', path, body, { 'idempotency-key': key });
      expect([replayed.status, replayed.text]).to.deep.equal([answer.status, answer.text]);
    }
  }

  /**
   * Every text of the database that a key opens, whatever its table: what a new table forgets to reseal is
   * found here.
   */
  async function sealedUnder(box: SecretBox): Promise<string[]> {
    const { rows: columns } = await owner.pool.query<{ t: string; c: string }>(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'text'`,
    );
    const found: string[] = [];
    for (const { t, c } of columns) {
      const { rows } = await owner.pool.query<{ text: string }>(
        `SELECT DISTINCT ${c} AS text FROM ${t} WHERE length(${c}) >= 40`,
      );
      if (rows.some(({ text }) => opens(box, text))) found.push(`${t}.${c}`);
    }
    return found.toSorted();
  }

  function opens(box: SecretBox, text: string): boolean {
    try {
      box.open(text);
      return true;
    } catch {
      return false;
    }
  }

  const scopes = (): string[] => [app.appId, 'admin'];

  /**
   * A mail, a page's session and a stored answer of the administrator: what requests of an app do not leave.
   */
  async function leaveOthers(url: string): Promise<void> {
    const signUp = await new Browser(url).open('/sign-up');
    await signUp.submit('/sign-up', {
      email: `${freshKey()}@people.example`,
      password: 'gravel orchid teapot nine',
    });
    await service.sql(
      `INSERT INTO graphiql_sessions (token_hash, account_id, app_id, sealed, expires_at)
       SELECT $1, account_id, $2, $3, now() + interval '1 hour' FROM accounts LIMIT 1`,
      [freshKey(), app.appId, oldBox.seal('a session of a page')],
    );
  }

  it('gives each key a database login of its own that works after a reconnect', async () => {
    const old = app;
    const rolled = app.at(await service.addNode({ SECRETS_KEY: `${OLD},${NEW}` }));
    const turned = app.at(await service.addNode({ SECRETS_KEY: `${NEW},${OLD}` }));
    const logins = async (): Promise<string[]> =>
      (
        await service.sql(
          `SELECT DISTINCT usename::text AS name FROM pg_stat_activity WHERE datname = current_database()
            AND usename LIKE 'consent_service_%' ORDER BY 1`,
        )
      ).map(({ name }) => name as string);
    const name = new URL(service.database.ownerUrl).pathname.slice(1);
    const expected = [OLD, NEW].map((key) => serviceLogin(key, name).login);
    expect(await logins()).to.have.members(expected);
    await service.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename::text = ANY ($1)
        AND datname = current_database()`,
      [expected],
    );
    for (const by of [old, rolled, turned]) {
      // A connection that was cut is found out by a request that fails; the pool then opens another.
      let status = 0;
      while (status !== 200) ({ status } = await by.rest('GET', '/v1/customers'));
    }
    expect(await logins()).to.have.members(expected);
  });

  it('lets nodes with both keys decrypt what either key encrypted', async () => {
    const rolled = app.at(await service.addNode({ SECRETS_KEY: `${OLD},${NEW}` }));
    const turned = app.at(await service.addNode({ SECRETS_KEY: `${NEW},${OLD}` }));
    for (const by of [app, rolled, turned]) await makeSecret(by);
    await expectReplays(rolled);
    await expectReplays(turned);
    const page = await turned.rest('GET', '/v1/webhook-endpoints?limit=1');
    const next = await rolled.rest(
      'GET',
      `/v1/webhook-endpoints?limit=1&cursor=${encodeURIComponent(page.body.pagination.next_cursor as string)}`,
    );
    expect(next.status, 'a cursor of the new key at a node that seals with the old').to.equal(200);
    // A node without the key that sealed refuses rather than answers wrongly.
    const strange = made.at(-1);
    const refused = await app.rest('POST', strange?.path ?? '', strange?.body, {
      'idempotency-key': strange?.key ?? '',
    });
    expect(refused.status).to.equal(500);
  });

  it('encrypts everything with the new key under load, even when it is killed repeatedly', async () => {
    const url = await service.addNode({ SECRETS_KEY: `${NEW},${OLD}` });
    const turned = app.at(url);
    await leaveOthers(service.url);
    for (let count = 0; count < 3; count += 1) await makeSecret(app);
    const before = await sealedUnder(oldBox);
    expect(before).to.deep.equal([
      'graphiql_sessions.sealed',
      'idempotency_keys.result',
      'mails.sealed',
      'oauth_artifacts.payload',
      'signing_keys.sealed',
      'webhook_endpoints.previous_secret',
      'webhook_endpoints.secret',
    ]);
    const load = { on: true, writes: 0 };
    const loaded = (async () => {
      for (; load.on; load.writes += 1) await makeSecret(turned);
    })();
    let kills = 0;
    for (; ; kills += 1) {
      const ended = await resealSecrets(killedAfter(owner, kills), both, scopes()).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'killed') throw error;
          return false;
        },
      );
      if (kills % 8 === 0) await expectReplays(turned);
      if (ended) break;
    }
    load.on = false;
    await loaded;
    expect(kills).to.be.greaterThan(10);
    expect(load.writes).to.be.greaterThan(0);
    expect(await resealSecrets(owner, both, scopes())).to.deep.include({ unreadable: 0, left: 0 });
    expect(await sealedUnder(oldBox)).to.deep.equal([]);
    expect(await sealedUnder(newBox)).to.deep.equal(before);
    const alone = app.at(await service.addNode({ SECRETS_KEY: NEW }));
    await expectReplays(alone);
    expect((await alone.rest('GET', '/v1/customers')).status).to.equal(200);
    recordProof({
      proof: '../commands/resealSecrets',
      injected:
        'a kill before each statement and each commit of resealing, while another process writes secrets',
      times: kills,
      checked:
        'stored answers replay alike at each moment; at the end no text of the database opens under the old key',
      figure: `${made.length} answers, ${load.writes} of them written meanwhile, 0 lost`,
      broken: 'writing without comparing loses a secret that was turned meanwhile',
    });
  });

  it('does not overwrite a secret that was rotated meanwhile', async () => {
    const [endpoint] = await service.sql('SELECT endpoint_id FROM webhook_endpoints LIMIT 1');
    const text = oldBox.seal('whsec_first');
    await service.sql('UPDATE webhook_endpoints SET secret = $2 WHERE endpoint_id = $1', [
      endpoint.endpoint_id,
      text,
    ]);
    const turning = new Proxy(owner, {
      get: (target, name) => {
        if (name === 'transaction')
          return async (appId: string | null, work: (tx: Transaction) => Promise<unknown>) => {
            await service.sql(
              'UPDATE webhook_endpoints SET secret = $2 WHERE endpoint_id = $1 AND secret = $3',
              [endpoint.endpoint_id, newBox.seal('whsec_second'), text],
            );
            return target.transaction(appId, work);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    expect(await resealSecrets(turning, both, scopes())).to.deep.equal({ sealed: 0, unreadable: 0, left: 0 });
    const [row] = await service.sql('SELECT secret FROM webhook_endpoints WHERE endpoint_id = $1', [
      endpoint.endpoint_id,
    ]);
    expect(newBox.open(row.secret as string)).to.equal('whsec_second');
  });

  it('keeps and counts what no key can decrypt', async () => {
    const text = new SecretBox('a-key-that-nobody-kept-0123456789-0123').seal('lost');
    const lost = await service.sql('UPDATE mails SET sealed = $1 RETURNING mail_id', [text]);
    expect(lost).to.not.deep.equal([]);
    expect(await resealSecrets(owner, both, scopes())).to.deep.include({
      sealed: 0,
      unreadable: lost.length,
    });
    expect(await service.sql('SELECT DISTINCT sealed FROM mails')).to.deep.equal([{ sealed: text }]);
    await service.sql('DELETE FROM mails');
  });

  it('is refused by the command with a key that no process was started with', async () => {
    const typo = 'the-nwe-secrets-key-of-32-characters-or-more';
    const refused = await finished(command(`${typo},${NEW},${OLD}`));
    expect(refused.code, refused.text).to.equal(1);
    expect(refused.text).to.include('SECRETS_KEY: no process was started');
    expect(await sealedUnder(new SecretBox(typo))).to.deep.equal([]);
  });

  it('continues after SIGKILL when run as a command, and drops the logins of removed keys', async () => {
    const rows = await service.sql('SELECT id_hash, payload FROM oauth_artifacts');
    for (const { id_hash: id, payload } of rows)
      await service.sql('UPDATE oauth_artifacts SET payload = $2 WHERE id_hash = $1', [
        id,
        oldBox.seal(newBox.open(payload as string)),
      ]);
    const killed = command(`${NEW},${OLD}`);
    await once(killed.stderr, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const again = await finished(command(`${NEW},${OLD}`));
    expect(again.code, again.text).to.equal(0);
    expect(await sealedUnder(oldBox)).to.deep.equal([]);
    const name = new URL(service.database.ownerUrl).pathname.slice(1);
    const dropped = await finished(command(NEW, '--drop-logins'));
    expect(dropped.text).to.include(`Dropped: `).and.to.include(serviceLogin(OLD, name).login);
    const logins = await service.sql(`SELECT rolname::text AS name FROM pg_roles WHERE rolcanlogin`);
    const names = logins.map(({ name: login }) => login as string);
    expect(names).to.include(serviceLogin(NEW, name).login).and.to.not.include(serviceLogin(OLD, name).login);
  });

  function command(keys: string, ...options: string[]) {
    const { PATH, HOME } = process.env;
    return spawn(process.execPath, ['dist/src/cli/resealSecrets.js', ...options], {
      env: { PATH, HOME, DATABASE_URL: service.database.ownerUrl, SECRETS_KEY: keys },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function finished(child: ReturnType<typeof command>): Promise<{ code: number | null; text: string }> {
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (text += piece.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }
});
