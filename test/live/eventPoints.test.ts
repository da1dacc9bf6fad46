import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LiveClient } from '../support/LiveClient.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const CONSENT = 'subscription ($id: ID!) { consentChanged(customerId: $id) { purposes { purpose status } } }';
const SESSION = 'subscription ($id: ID!) { connectionSessionChanged(id: $id) { status } }';
const PROFILE =
  'subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: SUPPORT) { customerId } }';
const DELIVERY = 'subscription ($id: ID!) { webhookDeliveryChanged(endpointId: $id) { id } }';

describe('Points of events', () => {
  let service: TestService;
  let app: TestPartner;
  let client: LiveClient | undefined;
  let spent = false;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  afterEach(() => {
    client?.close();
    spent = false;
  });
  after(() => service.stop());

  /** The app at a process of its own, which has nothing spent. */
  const near = async (read: number): Promise<TestPartner> =>
    app.at(await service.addNode({ RATE_LIMITS: `read=${read},write=100,ingest=100` }));

  /** The same at a process whose limits are reached while `spent` is set. */
  const nearLimit = async (of = app): Promise<TestPartner> =>
    of.at(
      await service.addNode(
        { RATE_LIMITS: 'read=100,write=100,ingest=100' },
        { newCount: (options) => new Spendable(options) },
      ),
    );

  class Spendable extends RateLimiterMemory {
    override consume(...args: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
      return spent ? Promise.reject(new RateLimiterRes(0, 500)) : super.consume(...args);
    }
  }

  /** The points left, after one of this request. */
  async function left(at: TestPartner): Promise<string | undefined> {
    const { headers } = await at.rest('GET', '/v1/workflows?limit=1');
    return headers.get('ratelimit')?.replace(/;t=.*/, '');
  }

  const granted = ({ results }: LiveClient): string[] =>
    (results.at(-1)?.data?.consentChanged?.purposes ?? [])
      .filter(({ status }: { status: string }) => status === 'GRANTED')
      .map(({ purpose }: { purpose: string }) => purpose);

  it('are one for each event, and none for a look that finds nothing new', async () => {
    const customer = await makeCustomer(app);
    const limited = await near(100);
    client = await LiveClient.open(limited, CONSENT, { id: customer });
    await client.until(({ results }) => results.length > 0);
    // After the transactions that were under way, it looks once more.
    await sleep(1000);
    expect(await left(limited), 'the request, its first event and this').to.equal('"read";r=97');
    await grant(app, customer, 'support');
    await client.until((seen) => granted(seen).length > 0);
    await sleep(500);
    expect(client.results).to.have.length(2);
    expect(await left(limited)).to.equal('"read";r=95');
  });

  it('with large values are more, by their length', async () => {
    const customer = await makeCustomer(app, { metadata: { note: 'x'.repeat(60_000) } });
    await grant(app, customer, 'support');
    const limited = await near(100);
    const large = PROFILE.replace('customerId }', 'a: customer { metadata } b: customer { metadata } }');
    client = await LiveClient.open(limited, large, { id: customer });
    await client.until(({ results }) => results.length > 0);
    // After the transactions that were under way, it looks once more.
    await sleep(1000);
    expect(await left(limited), 'the request, its event of 120 KB and this').to.equal('"read";r=96');
  });

  it('that are spent hold events back until there are new ones, and the last state is told', async () => {
    const asked = { customer_id: await makeCustomer(app), requested_purposes: ['support'] };
    const made = expectStatus(await app.rest('POST', '/v1/connection-sessions', asked), 201);
    const id = made.id ?? made.session.id;
    const limited = await nearLimit();
    client = await LiveClient.open(limited, SESSION, { id });
    await client.until(({ results }) => results.length > 0);
    spent = true;
    expectStatus(await app.rest('DELETE', `/v1/connection-sessions/${id}`), 200);
    await sleep(1500);
    expect(client.results).to.have.length(1);
    expect((await limited.rest('GET', '/v1/workflows')).status).to.equal(429);
    spent = false;
    await client.until(({ results }) => results.length > 1);
    expect(client.results).to.have.length(2);
    expect(client.results.every(({ errors }) => errors === undefined)).to.equal(true);
  });

  it('that are spent hold no change of consent back', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'support');
    client = await LiveClient.open(await nearLimit(), CONSENT, { id: customer });
    await client.until((seen) => granted(seen).length === 1);
    spent = true;
    await revoke(app, receipt);
    await client.until((seen) => granted(seen).length === 0);
  });

  it('that are spent hold back no refusal by a withdrawal, also while another event waits', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'support');
    client = await LiveClient.open(await nearLimit(), PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    spent = true;
    await sendClaims(app, claimBody(customer, { consent_purpose: 'support' }));
    await sleep(1500);
    expect(client.results).to.have.length(1);
    await revoke(app, receipt);
    await client.over();
    expect(client.results).to.have.length(2);
    expect(client.results[1].errors[0].extensions.code).to.equal('CONSENT_DENIED');
  });

  it('that are spent hold back no refusal after the app may no longer use a purpose', async () => {
    const narrowed = await service.makeApp();
    const customer = await makeCustomer(narrowed);
    await grant(narrowed, customer, 'support');
    client = await LiveClient.open(await nearLimit(narrowed), PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    spent = true;
    const path = `/v1/apps/${narrowed.appId}`;
    expectStatus(await service.admin.rest('PATCH', path, { allowed_consent_purposes: ['analytics'] }), 200);
    await client.over();
    expect(client.results.at(-1)?.errors?.[0]?.extensions?.code).to.equal('CONSENT_DENIED');
  });

  it('that are spent lose no delivery', async () => {
    const body = { url: 'http://127.0.0.1:9/hook', enabled_events: ['*'] };
    const made = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', body), 201);
    const path = `/v1/webhook-endpoints/${made.endpoint.id}/test`;
    client = await LiveClient.open(await nearLimit(), DELIVERY, { id: made.endpoint.id });
    spent = true;
    const sent: string[] = [];
    for (let count = 0; count < 3; count += 1)
      sent.push(expectStatus(await app.rest('POST', path), 202).delivery_id as string);
    await sleep(1500);
    const told = ({ results }: LiveClient): string[] =>
      results.flatMap(({ data }) => data?.webhookDeliveryChanged?.id ?? []);
    expect(told(client)).to.deep.equal([]);
    spent = false;
    await client.until((seen) => sent.every((delivery) => told(seen).includes(delivery)));
    expect(client.results.every(({ errors }) => errors === undefined)).to.equal(true);
  });
});
