import { expect } from 'chai';
import type pg from 'pg';
import { freePort } from '../support/freePort.js';
import { Browser } from '../oauth/Browser.js';
import { UpstreamProvider, upstreamSettings } from '../oauth/UpstreamProvider.js';
import { linkedPerson, signInAt } from '../support/linkedPerson.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const REVOKE = `mutation ($id: ID!, $key: String!) {
  revokeConsentReceipt(id: $id, idempotencyKey: $key) { workflowId }
}`;

describe('A connection reserved for withdrawals', () => {
  let service: TestService;
  let upstream: UpstreamProvider;
  let app: TestPartner;
  let taken: pg.PoolClient[] = [];

  before(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    upstream = await UpstreamProvider.start(`${url}/oauth/upstream/callback`);
    service = await TestService.start({
      POOL_SIZE: '6',
      ROLE: 'gateway',
      PORT: String(port),
      BASE_URL: url,
      ...upstreamSettings(upstream.issuer),
    });
    app = await service.makeApp();
  });
  after(async () => {
    release();
    await service.stop();
    await upstream.stop();
  });
  afterEach(release);

  function release(): void {
    for (const client of taken.splice(0)) client.release();
  }

  /** Takes every connection that others may have, and keeps it. */
  async function exhaust(): Promise<void> {
    const { pool } = service.services.database;
    taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  }

  /** A token that no process remembers yet: who asks must be found out too. */
  const unseen = (): Promise<TestPartner> => service.narrowed(app, 'consent:write');

  it('serves revocations over REST, GraphQL and pages while all others are in use', async () => {
    const people = await Promise.all([1, 2, 3].map(() => linkedPerson(service, app)));
    const [byRest, byGraphql, byPage] = people;
    if (byRest === undefined || byGraphql === undefined || byPage === undefined)
      throw new Error('Nobody is there.');
    const browser = await signInAt(service.url, byPage);
    const [first, second] = [await unseen(), await unseen()];
    await exhaust();
    const rest = await first.rest('POST', `/v1/consent-receipts/${byRest.receiptId}/revoke`, {});
    expect(rest.status).to.equal(202);
    const graphql = await second.graphql(REVOKE, { id: byGraphql.receiptId });
    expect(graphql.data?.revokeConsentReceipt?.workflowId).to.match(/^wf_/);
    const page = await browser.open('/connections');
    const done = await page.submit('/connections/withdraw', { purpose: 'all' });
    expect([done.status, done.path]).to.deep.equal([200, '/connections']);
    release();
    const heads = await service.sql('SELECT granted_mask FROM customer_heads WHERE customer_id = ANY ($1)', [
      people.map(({ customerId }) => customerId),
    ]);
    expect(heads.map(({ granted_mask: mask }) => mask)).to.deep.equal([0, 0, 0]);
  });

  it('serves a sign-in followed by a withdrawal', async () => {
    const person = await linkedPerson(service, app);
    await exhaust();
    const browser = await signInAt(service.url, person);
    const page = await browser.open('/connections');
    const done = await page.submit('/connections/withdraw', { purpose: 'all' });
    expect([done.status, done.path]).to.deep.equal([200, '/connections']);
    const passkeys = new Browser(service.url);
    const form = (await passkeys.open('/sign-in')).forms.find(({ action }) =>
      action.startsWith('/sign-in/passkey'),
    );
    expect((await passkeys.open('/sign-in/passkey/options', form?.fields ?? {})).status).to.equal(200);
    release();
    expect(
      await service.sql('SELECT granted_mask FROM customer_heads WHERE customer_id = $1', [
        person.customerId,
      ]),
    ).to.deep.equal([{ granted_mask: 0 }]);
  });

  it('is shown by metrics while in use, of one process of several too', async () => {
    const { database, metrics } = service.services;
    const port = String(await freePort());
    const idle = await service.addNode(
      { PORT: port },
      { otherMetrics: async () => [await metrics.getMetricsAsJSON()] },
    );
    const shown = async (url: string): Promise<string[]> => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const lines = /^database_(?:reserved_connections\{state="\w+"\}|exhausted_processes) (\d+)$/gm;
      return [...text.matchAll(lines)].map(([, n = '']) => n);
    };
    expect(await shown(service.url)).to.deep.equal(['0', '1', '0']);
    expect(await shown(idle)).to.deep.equal(['0', '2', '0']);
    const held = await database.reserve?.connect();
    expect(await shown(service.url)).to.deep.equal(['1', '1', '1']);
    expect(await shown(idle)).to.deep.equal(['1', '2', '1']);
    held?.release();
  });

  it('serves a sign-in through the upstream provider followed by a withdrawal', async () => {
    const person = await linkedPerson(service, app);
    upstream.person = { sub: person.accountId, email: person.email, email_verified: true };
    await exhaust();
    const browser = new Browser(service.url);
    const { away } = await (
      await browser.open('/sign-in?return_to=%2Fconnections')
    ).submit('/oauth/upstream/start', {});
    if (away === undefined) throw new Error('The form did not lead to the upstream provider.');
    const page = await browser.open((await upstream.visit(away)).href);
    expect([page.status, page.path]).to.deep.equal([200, '/connections']);
    const done = await page.submit('/connections/withdraw', { purpose: 'all' });
    expect([done.status, done.path]).to.deep.equal([200, '/connections']);
  });

  it('serves many simultaneous revocations one after another', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => linkedPerson(service, app)));
    await exhaust();
    const answers = await Promise.all(
      people.map(({ receiptId }) => app.rest('POST', `/v1/consent-receipts/${receiptId}/revoke`, {})),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(people.map(() => 202));
  });

  it('does not serve other writes, which are answered with 503', async () => {
    const { customerId } = await linkedPerson(service, app);
    await exhaust();
    const write = await app.rest('PATCH', `/v1/customers/${customerId}`, { metadata: { tier: 'gold' } });
    expect([write.status, write.body.error.code]).to.deep.equal([503, 'unavailable']);
  });

  it('does not serve sign-ups, which are answered with a page and 503', async () => {
    const form = await new Browser(service.url).open('/sign-up');
    await exhaust();
    const page = await form.submit('/sign-up', {
      email: 'late@people.example',
      password: 'gravel orchid teapot',
    });
    expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '1']);
  });

  it('is used only when no other connection is free', async () => {
    const { database } = service.services;
    const client = await database.pool.connect();
    client.release();
    let inside = false;
    await database.urgent.transaction(null, async (tx) => {
      await tx.query('SELECT 1');
      inside = database.pool.idleCount < database.pool.totalCount;
    });
    expect(inside).to.equal(true);
  });
});
