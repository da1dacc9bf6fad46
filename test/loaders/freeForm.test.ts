import { expect } from 'chai';
import { StoredJson } from '../../src/documents/FreeForm.js';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { LiveClient } from '../support/LiveClient.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
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

  it('of entries too, by the names of their fields', async () => {
    const id = await makeEntry(app, { isbn: 'free', size: JSON.parse(STORED) as object, genres: [] });
    const fields = `{"isbn": "free", "title": "Persuasion", "genres": [], "size": ${STORED}}`;
    for (const path of [
      `/v1/entries/${id}`,
      '/v1/entries?limit=1',
      '/v1/entries?ontology=book&fields[isbn]=free',
    ])
      expect((await app.rest('GET', path)).text, path).to.include(`"fields":${fields}`);
    const [one, ...others] = await ask(`{ entry(id: "${id}") { fields } }`);
    expect(one).to.equal(`{"data":{"entry":{"fields":${fields}}}}\n`);
    expect(others).to.deep.equal([]);
  });

  it('of facts and claims are not parsed by conditions, edges or explanations, nor by events', async () => {
    const value = { list: [[], [null, {}]], text: '\u0001' };
    await sendClaims(app, claimBody(customer, { attribute: 'size', value }));
    const parsed: string[] = [];
    const { toJSON } = StoredJson.prototype;
    StoredJson.prototype.toJSON = function parse(this: StoredJson): unknown {
      parsed.push(this.text);
      return toJSON.call(this);
    };
    const customerAsked = `customer(id: "${customer}")`;
    const facts = `resolvedProfile(customerId: "${customer}") { facts`;
    let client: LiveClient | undefined;
    try {
      for (const [query, place] of [
        [
          `{ ${facts} { resolvedValue confidence @skip(if: false) } } }`,
          'resolvedProfile.facts.0.resolvedValue',
        ],
        [
          `{ ${facts} { evidence { value } explanation { logOdds } } } }`,
          'resolvedProfile.facts.0.evidence.0.value',
        ],
        [
          `{ ${customerAsked} { claims { edges { node { value } } } } }`,
          'customer.claims.edges.0.node.value',
        ],
        [`{ ${customerAsked} { claims { nodes { a: value b: value } } } }`, 'customer.claims.nodes.0.b'],
      ] as const)
        for (const text of await ask(query))
          expect(at(JSON.parse(text), `data.${place}`), query).to.deep.equal(value);
      client = await LiveClient.open(
        app,
        `subscription { profileChanged(customerId: "${customer}") { facts { resolvedValue } customer { metadata } } }`,
      );
      await client.until(({ results }) => results.length > 0);
      const { profileChanged } = client.results[0].data;
      expect(profileChanged.facts).to.deep.equal([{ resolvedValue: value }]);
      expect(profileChanged.customer.metadata).to.deep.equal(JSON.parse(STORED));
    } finally {
      client?.close();
      StoredJson.prototype.toJSON = toJSON;
    }
    expect(parsed).to.deep.equal([]);
  });

  it('are null where there are none', async () => {
    const bare = await makeCustomer(app);
    expect((await app.rest('GET', `/v1/customers/${bare}`)).body).not.to.have.property('metadata');
    const { data } = await app.graphql(`{ customer(id: "${bare}") { metadata } }`);
    expect(data.customer).to.deep.equal({ metadata: null });
  });
});

/** The value at a path. */
function at(value: Json, path: string): Json {
  return path.split('.').reduce((held, name) => held[name], value);
}
