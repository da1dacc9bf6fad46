import { expect } from 'chai';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** As PostgreSQL prints it, which `JSON.stringify` would not. */
const STORED = '{"a": [[], [null, {}]], "none": null, "text": "\\u0001, \\"b\\": 1.5"}';

describe('Free-form values', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    customer = await makeCustomer(app, { metadata: JSON.parse(STORED) as object });
    await grant(app, customer, 'personalization');
  });
  after(() => service.stop());

  /** The answers of a document that is new, and so executed by Apollo Server, until it is compiled. */
  async function ask(query: string): Promise<Set<string>> {
    const texts = new Set<string>();
    for (let time = 0; time < 8; time += 1) texts.add((await app.graphql(query)).text);
    return texts;
  }

  it('of customers are inserted into answers as they are stored, without being parsed', async () => {
    for (const path of [`/v1/customers/${customer}`, '/v1/customers?limit=5'])
      expect((await app.rest('GET', path)).text).to.include(`"metadata":${STORED},"created_at"`);
    const [one, ...others] = await ask(`{ customer(id: "${customer}") { metadata id } }`);
    expect(one).to.equal(`{"data":{"customer":{"metadata":${STORED},"id":"${customer}"}}}\n`);
    expect(others).to.deep.equal([]);
    const [page] = await ask('{ customers(first: 2) { nodes { metadata } } }');
    expect(page).to.equal(`{"data":{"customers":{"nodes":[{"metadata":${STORED}}]}}}\n`);
  });

  it('of events too, waiting or processed', async () => {
    const event = eventBody(customer, await makeEntry(app), { properties: JSON.parse(STORED) as object });
    const { event_id: id } = expectStatus(await app.rest('POST', '/v1/events', event), 202);
    const read = async (): Promise<string> => (await app.rest('GET', `/v1/events/${id as string}`)).text;
    expect(await read()).to.include(`"properties":${STORED}`);
    await settled(app, id as string);
    expect(await read())
      .to.include('"status":"processed"')
      .and.to.include(`"properties":${STORED}`);
    const [page, ...others] = await ask('{ events(first: 2) { nodes { properties } } }');
    expect(page).to.equal(`{"data":{"events":{"nodes":[{"properties":${STORED}}]}}}\n`);
    expect(others).to.deep.equal([]);
  });

  it('are null where there are none', async () => {
    const bare = await makeCustomer(app);
    expect((await app.rest('GET', `/v1/customers/${bare}`)).body).not.to.have.property('metadata');
    const { data } = await app.graphql(`{ customer(id: "${bare}") { metadata } }`);
    expect(data.customer).to.deep.equal({ metadata: null });
  });
});
