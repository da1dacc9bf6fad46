import { expect } from 'chai';
import { claimBody, expectStatus, grant, makeCustomer } from '../support/records.js';
import { eventBody, makeEntry, putBooks } from '../support/ingestRecords.js';
import { RoundTrips } from '../support/RoundTrips.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** The most round trips of each mutation: raise one only with a reason, and say it in docs/decisions/0017. */
const BOUNDS: Readonly<Record<string, number>> = {
  'POST /v1/customers': 3,
  'PATCH /v1/customers/{id}': 4,
  'POST /v1/consent-receipts': 4,
  'POST /v1/consent-receipts/{id}/revoke': 7,
  'POST /v1/claims': 3,
  'POST /v1/claims/batch of 100 customers': 3,
  'POST /v1/events': 4,
  'POST /v1/events/batch of 100 customers': 4,
};

describe('the round trips of a mutation', () => {
  const roundTrips = new RoundTrips();
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    roundTrips.start();
  });
  after(async () => {
    roundTrips.stop();
    await service.stop();
  });

  /** The customers of a batch, each of whom has opened the purposes of claims and events. */
  async function granted(count: number): Promise<string[]> {
    const customers: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      customers.push(customer);
    }
    return customers;
  }

  async function walk(): Promise<[name: string, answer: () => Promise<Answer>, status: number][]> {
    const customers = await granted(100);
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'support');
    const [first = ''] = customers;
    const claims = customers.map((id) => claimBody(id));
    const entry = await makeEntry(app);
    const events = customers.map((id) => eventBody(id, entry));
    return [
      ['POST /v1/customers', () => app.rest('POST', '/v1/customers', { external_id: 'counted' }), 201],
      [
        'PATCH /v1/customers/{id}',
        () => app.rest('PATCH', `/v1/customers/${customer}`, { metadata: { a: 1 } }),
        200,
      ],
      [
        'POST /v1/consent-receipts',
        () => app.rest('POST', '/v1/consent-receipts', { customer_id: customer, purposes: ['analytics'] }),
        201,
      ],
      [
        'POST /v1/consent-receipts/{id}/revoke',
        () => app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`),
        202,
      ],
      ['POST /v1/claims', () => app.rest('POST', '/v1/claims', claimBody(first)), 202],
      ['POST /v1/claims/batch of 100 customers', () => app.rest('POST', '/v1/claims/batch', { claims }), 202],
      ['POST /v1/events', () => app.rest('POST', '/v1/events', eventBody(first, entry)), 202],
      ['POST /v1/events/batch of 100 customers', () => app.rest('POST', '/v1/events/batch', { events }), 202],
    ];
  }

  it('stay within the bound that is recorded for it', async function () {
    this.timeout(120_000);
    for (const [name, send, status] of await walk()) {
      roundTrips.take('');
      const answer = await send();
      expectStatus(answer, status);
      const [counted] = roundTrips.take('INSERT INTO idempotency_keys');
      console.log(
        `      ${name}: ${counted?.roundTrips} round trips, ${counted?.statements.length} statements`,
      );
      expect(counted?.roundTrips, name).to.be.at.most(BOUNDS[name] ?? 0);
    }
  });
});
