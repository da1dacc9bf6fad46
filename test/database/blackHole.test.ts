import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type pg from 'pg';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { Database } from '../../src/database/Database.js';
import { isTransient } from '../../src/database/sqlState.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { itInProofs } from '../support/itInProofs.js';
import { LiveClient } from '../support/LiveClient.js';
import { claimBody, grant, makeCustomer, sendClaims } from '../support/records.js';
import { Relay } from '../support/Relay.js';
import { skipUnless } from '../support/skipUnless.js';
import { TestPartner } from '../support/TestPartner.js';
import type { Answer } from '../support/TestPartner.js';
import { administratorAt } from '../support/registerApp.js';

describe('A primary that drops packets', () => {
  let database: TestDatabase;
  let relay: Relay;
  let service: ChildService;
  let admin: TestPartner;
  let app: { app_id: string; client_secret: string };

  before(async () => {
    database = await createTestDatabase();
    const url = new URL(database.ownerUrl);
    relay = await Relay.start(Number(url.port));
    url.port = String(relay.port);
    service = await ChildService.start(url.href, { DATABASE_TIMEOUT_MS: '400' });
    admin = administratorAt(service.url);
    const made = {
      name: 'Quay',
      redirect_uris: ['https://quay.example/cb'],
      allowed_scopes: ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
    };
    app = (await admin.rest('POST', '/v1/apps', made)).body;
  });
  after(async () => {
    relay.resume();
    await service.kill();
    await relay.stop();
    await database.drop();
  });

  const basic = (): Record<string, string> => ({
    authorization: `Basic ${btoa(`${app.app_id}:${app.client_secret}`)}`,
  });
  const token = (): Promise<Response> =>
    fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: basic(),
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

  it('fails a connection outside the pool that is not taken up', async () => {
    const url = new URL(database.ownerUrl);
    url.port = String(relay.port);
    const own = new Database({ url: url.href, poolSize: 1 });
    relay.stallNew();
    try {
      const failed = await own
        .newClient('test')
        .connect()
        .then(
          () => 'connected',
          (error: Error) => error.message,
        );
      expect(failed).to.match(/timeout/);
    } finally {
      relay.resume();
      await own.close();
    }
  });

  it('causes 503 for every kind of request until it answers again', async () => {
    const { access_token: bearer } = (await (await token()).json()) as { access_token: string };
    const partner = new TestPartner(service.url, { authorization: `Bearer ${bearer}` });
    expect((await partner.rest('GET', '/v1/customers')).status).to.equal(200);
    relay.stall();
    // None of these would ever be answered without a bound; mocha's own limit is the alarm.
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => partner.rest('GET', '/v1/customers')),
      admin.rest('GET', `/v1/apps/${app.app_id}`),
      admin.rest('PATCH', `/v1/apps/${app.app_id}`, { name: 'Pier' }),
      partner.graphql('{ customers { nodes { id } } }'),
    ]);
    const ready = await fetch(`${service.url}/readyz`);
    const issued = await token();
    expect([...answers.slice(0, 22).map(({ status }) => status), ready.status, issued.status]).to.deep.equal(
      Array.from({ length: 24 }, () => 503),
    );
    expect(answers[0]?.headers.get('retry-after')).to.equal('1');
    expect(answers[22]?.body.errors[0].extensions.code).to.equal('UNAVAILABLE');
    relay.resume();
    while ((await fetch(`${service.url}/readyz`)).status !== 200)
      await new Promise((wake) => setTimeout(wake, 50));
    expect((await partner.rest('GET', '/v1/customers')).status).to.equal(200);
    expect((await admin.rest('GET', `/v1/apps/${app.app_id}`)).body.name).to.equal('Quay');
  });

  it('leaves /metrics telling that the queues cannot be read', async () => {
    const told = async (): Promise<string | undefined> =>
      /^work_queue_look_failed (\d)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1];
    const until = async (state: string): Promise<void> => {
      while ((await told()) !== state) await new Promise((wake) => setTimeout(wake, 50));
    };
    await until('0');
    relay.stall();
    try {
      expect(await told()).to.equal('1');
    } finally {
      relay.resume();
    }
    await until('0');
  });

  itInProofs(
    'works off a claim and a revocation that are accepted after all connections died silently',
    async () => {
      const { access_token: bearer } = (await (await token()).json()) as { access_token: string };
      const partner = new TestPartner(service.url, { authorization: `Bearer ${bearer}` });
      const id = await makeCustomer(partner);
      const receipt = await grant(partner, id, 'personalization', 'analytics');
      // Now every worker has looked for work.
      await sendClaims(partner, claimBody(id, { value: 'poetry' }));
      relay.abandon();
      /** Each of the gateway's own dead connections fails a request. */
      const answered = async (...request: Parameters<TestPartner['rest']>): Promise<Answer> => {
        let answer = await partner.rest(...request);
        while (answer.status === 503) answer = await partner.rest(...request);
        return answer;
      };
      const claim = await answered('POST', '/v1/claims', claimBody(id));
      const path = `/v1/consent-receipts/${receipt}/revoke`;
      const revocation = await answered('POST', path, { purposes: ['analytics'] });
      for (const { status, body } of [claim, revocation]) {
        expect(status).to.equal(202);
        const workflow = `/v1/workflows/${body.workflow_id}`;
        // Without a bound it never ends; mocha's own limit is the alarm.
        while ((await answered('GET', workflow)).body.status !== 'completed')
          await new Promise((wake) => setTimeout(wake, 50));
      }
    },
  );

  itInProofs('keeps no subscription and no stop waiting on connections that died silently', async () => {
    const { access_token: bearer } = (await (await token()).json()) as { access_token: string };
    const partner = new TestPartner(service.url, { authorization: `Bearer ${bearer}` });
    const id = await makeCustomer(partner);
    await grant(partner, id, 'analytics');
    const query = 'subscription ($id: ID!) { profileChanged(customerId: $id) { facts { attribute } } }';
    const subscribe = (): Promise<LiveClient> => LiveClient.open(partner, query, { id });
    const clients = await Promise.all(Array.from({ length: 8 }, subscribe));
    for (const client of clients) await client.until(({ results }) => results.length > 0);
    relay.abandon();
    let fresh = await subscribe();
    while (fresh.status !== 200) fresh = await subscribe();
    await fresh.until(({ results }) => results.length > 0);
    expect(fresh.results[0].data.profileChanged.facts).to.deep.equal([]);
    for (const client of [...clients, fresh]) client.close();
    expect(await service.running.end('SIGTERM')).to.equal(0);
  });
});

describe('A connection that is silent', () => {
  let test: TestDatabase;
  let database: Database;
  let broken: Promise<void>;

  before(async () => {
    test = await createTestDatabase();
    broken = new Promise((breaks) => {
      database = new Database({ url: test.serviceUrl, poolSize: 1, onError: () => breaks() });
    });
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  it('is asked by TCP whether the server is still there', async function () {
    skipUnless(this, platform() === 'linux', 'only Linux shows the timers of TCP');
    const client = await database.pool.connect();
    try {
      const { stream } = (client as pg.PoolClient & { connection: { stream: Socket } }).connection;
      // Of both ends: a port may still be that of a connection to another server, which was closed.
      const ends = [stream.localPort, stream.remotePort].map(
        (port) => `:${port?.toString(16).toUpperCase().padStart(4, '0')}`,
      );
      const row = readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .find((columns) => ends.every((end, at) => columns[at + 1]?.endsWith(end)));
      // The sixth column has the timer; 02 is that of keepalive.
      expect(row?.[5]).to.match(/^02:/);
    } finally {
      client.release();
    }
  });

  it('is ended by PostgreSQL after a minute, and after three when a transaction is open', async () => {
    const settings = await database.query(
      `SELECT name, setting FROM pg_settings
        WHERE name LIKE 'tcp_keepalives%' OR name = 'idle_in_transaction_session_timeout' ORDER BY name`,
    );
    expect(settings).to.deep.equal([
      { name: 'idle_in_transaction_session_timeout', setting: '180000' },
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '30' },
      { name: 'tcp_keepalives_interval', setting: '10' },
    ]);
  });

  it('is ended after one when its transaction holds locks only', async () => {
    const asked = await database.transaction(
      null,
      (tx) => tx.query('SHOW idle_in_transaction_session_timeout'),
      { locksOnly: true },
    );
    expect(asked).to.deep.equal([{ idle_in_transaction_session_timeout: '1min' }]);
  });

  it('fails only its own transaction when PostgreSQL ends it, and that may be repeated', async () => {
    // What a statement is told that was sent at that moment.
    const told = Object.assign(new Error('terminating connection'), { code: '25P03' });
    expect(isTransient(told)).to.equal(true);
    const rested = database.transaction(null, async (tx) => {
      await tx.query(`SET LOCAL idle_in_transaction_session_timeout = '50ms'`);
      await broken;
      await tx.query('SELECT 1');
    });
    const failure = await rested.catch((error: unknown) => error);
    expect(isTransient(failure), String(failure)).to.equal(true);
    expect(await database.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });
});
