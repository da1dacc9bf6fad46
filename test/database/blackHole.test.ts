import { expect } from 'chai';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { Database } from '../../src/database/Database.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { LiveClient } from '../support/LiveClient.js';
import { grant, makeCustomer } from '../support/records.js';
import { Relay } from '../support/Relay.js';
import { TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/TestService.js';

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
    admin = new TestPartner(service.url, { 'x-service-admin-key': TEST_ADMIN_KEY });
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

  it('keeps no subscription and no stop waiting on connections that died silently', async () => {
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
