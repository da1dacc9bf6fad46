import { expect } from 'chai';
import { getIntrospectionQuery } from 'graphql';
import { grant, makeCustomer, revoke } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const READ = 200;
const WRITE = 20;

describe('points', () => {
  let service: TestService;
  let url: string;
  let customers: string[];
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    url = await service.addNode({ RATE_LIMITS: `read=${READ},write=${WRITE},ingest=10` });
    app = await service.makeApp();
    customers = [];
    for (let count = 0; count < 60; count += 1) customers.push(await makeCustomer(app));
  });
  after(() => service.stop());

  /** A limit is an app's and a process's: a process of its own starts with nothing spent. */
  beforeEach(async () => {
    url = await service.addNode({ RATE_LIMITS: `read=${READ},write=${WRITE},ingest=10` });
  });

  const left = ({ headers }: { headers: Headers }): string =>
    headers.get('ratelimit')?.replace(/;t=.*/, '') ?? 'none';
  const rest = (path: string): Promise<{ status: number; headers: Headers }> =>
    fetch(`${url}${path}`, { headers: app.credentials });

  it('of a REST request are one, plus one for every further 25 resources read', async () => {
    expect(left(await rest(`/v1/customers/${customers[0]}`))).to.equal(`"read";r=${READ - 1}`);
    expect(left(await rest('/v1/customers'))).to.equal(`"read";r=${READ - 2}`);
    expect(left(await rest('/v1/customers?limit=50'))).to.equal(`"read";r=${READ - 4}`);
    expect(left(await rest('/v1/customers?limit=100')), 'of 60 that there are').to.equal(
      `"read";r=${READ - 7}`,
    );
    expect(left(await rest('/v1/customers?limit=100&external_id=nobody'))).to.equal(`"read";r=${READ - 8}`);
  });

  it('of a query count what it read, not what it could have read', async () => {
    const ask = async (query: string): Promise<string> => left(await app.at(url).graphql(query));
    expect(await ask('{ customers(first: 1) { nodes { id } } }')).to.equal(`"read";r=${READ - 1}`);
    expect(
      await ask('{ customers(first: 50) { nodes { id consentReceipts { nodes { id } } } } }'),
      'no receipts',
    ).to.equal(`"read";r=${READ - 3}`);
    const ids = JSON.stringify(customers.slice(0, 50));
    expect(await ask(`{ profiles(customerIds: ${ids}) { customerId } }`)).to.equal(`"read";r=${READ - 5}`);
    expect(await ask('{ __typename }')).to.equal(`"read";r=${READ - 6}`);
  });

  it('of an answer with large values count its length, over both doors', async () => {
    const rich = await service.makeApp();
    for (const name of ['a', 'b', 'c', 'd'])
      await makeCustomer(rich, { external_id: name, metadata: { note: 'x'.repeat(60_000) } });
    const read = await fetch(`${url}/v1/customers`, { headers: rich.credentials });
    expect(left(read)).to.equal(`"read";r=${READ - 3}`);
    const { headers } = await rich.at(url).graphql('{ customers(first: 4) { nodes { metadata } } }');
    expect([headers.get('x-request-cost'), left({ headers })]).to.deep.equal(['3', `"read";r=${READ - 6}`]);
    const unshown = await rich.at(url).graphql('{ customers(first: 4) { nodes { id } } }');
    expect(unshown.headers.get('x-request-cost'), 'they are read, though not shown').to.equal('3');
  });

  it('of a write count the values of its body, over both doors and when it is refused', async () => {
    const list = Array.from({ length: 2000 }, () => '');
    const body = (metadata: object): object => ({ external_id: `many-${Math.random()}`, metadata });
    const sent = await app.at(url).rest('POST', '/v1/customers', body({ list }));
    expect(left(sent)).to.equal(`"write";r=${WRITE - 5}`);
    const refused = await app.at(url).rest('POST', '/v1/customers', body({ list, password: 'secret' }));
    expect([refused.status, left(refused)]).to.deep.equal([422, `"write";r=${WRITE - 10}`]);
    const { headers } = await app
      .at(url)
      .graphql(
        'mutation ($i: CreateCustomerInput!, $key: String!) { createCustomer(input: $i, idempotencyKey: $key) { status } }',
        { i: { externalId: 'many', metadata: { list } } },
      );
    expect([headers.get('x-request-cost'), left({ headers })]).to.deep.equal([
      '5',
      `"write";r=${WRITE - 15}`,
    ]);
    const dear = await app.at(url).rest('POST', '/v1/customers', body({ list: [...list, ...list] }));
    expect(dear.status).to.equal(429);
  });

  it('of introspection count the types, fields, arguments and values that it shows', async () => {
    const ask = async (query: string): Promise<string> => left(await app.at(url).graphql(query));
    expect(await ask('{ __schema { queryType { name } } }')).to.equal(`"read";r=${READ - 1}`);
    const { data, headers } = await app.at(url).graphql('{ all: __schema { types { name } } }');
    const points = Math.ceil((data.all.types.length + 1) / 25);
    expect(points).to.be.above(5);
    expect(headers.get('x-request-cost')).to.equal(String(points));
    expect(left({ headers })).to.equal(`"read";r=${READ - 1 - points}`);
    const events = { accept: 'text/event-stream' };
    expect((await app.at(url).graphql('{ __schema { types { name } } }', {}, events)).status).to.equal(200);
    expect(await ask('{ __typename }')).to.equal(`"read";r=${READ - 2 - 2 * points}`);
    const often = Array.from({ length: 15 }, (_, index) => `a${index}: __schema { types { ...T } }`);
    const dear = `{ ${often.join(' ')} } fragment T on __Type { fields { args { name } type { name } } }`;
    const refused = await app.at(url).graphql(dear);
    expect(refused.errors[0]?.message).to.match(/costs more than 20000 fields/);
    expect(refused.headers.get('x-request-cost'), 'as it did not run').to.equal('1');
    expect((await app.at(url).graphql(getIntrospectionQuery())).status).to.equal(200);
    expect((await app.at(url).graphql(getIntrospectionQuery())).status).to.equal(429);
  });

  it('refuse a query that may read more than the budget left, before it runs', async () => {
    const wide = '{ customers(first: 100) { nodes { id consentReceipts(first: 50) { nodes { id } } } } }';
    const answer = await app.at(url).graphql(wide);
    expect([answer.status, answer.errors[0]?.extensions['code']]).to.deep.equal([429, 'RATE_LIMITED']);
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(left(answer), 'the request alone is paid').to.equal(`"read";r=${READ - 1}`);
    expect(left(await rest('/v1/customers?limit=50'))).to.equal(`"read";r=${READ - 3}`);
  });

  it('are charged for every refusal except 401', async () => {
    const bodies: [string, string, string][] = [
      ['not JSON', 'application/json', '{'],
      ['another type', 'text/plain', '{}'],
      ['nothing', 'application/json', '{}'],
      ['a document that does not parse', 'application/json', '{"query":"{"}'],
      ['a document that is not valid', 'application/json', '{"query":"{nope}"}'],
      ['a document that costs too much', 'application/json', JSON.stringify({ query: DEAR })],
      [
        'a document of too many tokens',
        'application/json',
        JSON.stringify({ query: `{${' __typename'.repeat(3000)}}` }),
      ],
      [
        'a document too large',
        'application/json',
        JSON.stringify({ query: `{ __typename #${'x'.repeat(110_000)}\n}` }),
      ],
    ];
    let taken = 0;
    for (const [what, type, body] of bodies) {
      const headers = { ...app.credentials, 'content-type': type };
      taken += 1;
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
      expect(left(answer), what).to.equal(`"read";r=${READ - taken}`);
    }
    for (const [path, status] of [
      ['/v1/customers/cus_nobody', 404],
      ['/v1/customers?limit=0', 400],
    ] as const) {
      taken += 1;
      const answer = await rest(path);
      expect([answer.status, left(answer)]).to.deep.equal([status, `"read";r=${READ - taken}`]);
    }
    const bad = await fetch(`${url}/graphql`, { headers: { authorization: 'Bearer nonsense' } });
    expect([bad.status, bad.headers.get('ratelimit')]).to.deep.equal([401, null]);
    expect(left(await rest(`/v1/customers/${customers[0]}`))).to.equal(`"read";r=${READ - taken - 1}`);
  });

  it('of a malformed body are charged to the write budget until it is spent', async () => {
    const partner = app.at(url);
    for (let taken = 1; taken <= WRITE; taken += 1) {
      const answer = await partner.rest('POST', '/v1/customers', { nope: 1 });
      expect([answer.status, left(answer)]).to.deep.equal([422, `"write";r=${WRITE - taken}`]);
    }
    expect((await partner.rest('POST', '/v1/customers', { nope: 1 })).status).to.equal(429);
  });

  it('of a mutation are one write and no read', async () => {
    const create = (name: string): string =>
      `${name}: createCustomer(idempotencyKey: "points-${name}-${url}", input: { externalId: "${name}" }) { status }`;
    const answer = await app.at(url).graphql(`mutation { ${create('a')} ${create('b')} }`);
    expect(answer.errors).to.deep.equal([]);
    expect(left(answer)).to.equal(`"write";r=${WRITE - 2}`);
    expect(left(await rest(`/v1/customers/${customers[0]}`))).to.equal(`"read";r=${READ - 1}`);
  });

  it('of spent write budgets do not block a revocation, over REST or GraphQL', async () => {
    const receipts = [
      await grant(app, customers[0] ?? '', 'personalization'),
      await grant(app, customers[1] ?? '', 'personalization'),
    ];
    const partner = app.at(url);
    for (let taken = 0; taken <= WRITE; taken += 1) await partner.rest('POST', '/v1/customers', { nope: 1 });
    expect((await partner.rest('POST', '/v1/customers', { nope: 1 })).status).to.equal(429);
    expect(await revoke(partner, receipts[0] ?? '')).to.not.equal(undefined);
    const { errors, headers } = await partner.graphql(
      'mutation($key: String!, $id: ID!) { revokeConsentReceipt(idempotencyKey: $key, id: $id) { workflowId } }',
      { id: receipts[1] },
    );
    expect(errors).to.deep.equal([]);
    expect(left({ headers })).to.equal(`"revoke";r=${WRITE - 2}`);
  });

  it('of spent write budgets do not block ingestion, and no comment opens another budget', async () => {
    const partner = app.at(url);
    for (let taken = 0; taken <= WRITE; taken += 1) await partner.rest('POST', '/v1/customers', { nope: 1 });
    const ingest = `mutation ($key: String!) {
      ingestEvents(idempotencyKey: $key, input: { events: [] }) { accepted } }`;
    const inFragment = `mutation ($key: String!) { ...inner } fragment inner on Mutation {
      ingestEvents(idempotencyKey: $key, input: { events: [] }) { accepted } }`;
    for (const [place, query] of [ingest, ingest, `${ingest} #revokeConsentReceipt`, inFragment].entries()) {
      const answer = await partner.graphql(query);
      expect([answer.errors[0]?.extensions['code'], left(answer)], query).to.deep.equal([
        'VALIDATION_FAILED',
        `"ingest";r=${9 - place}`,
      ]);
    }
    const create = `mutation ($key: String!) {
      createCustomer(idempotencyKey: $key, input: { externalId: "x" }) { status } }`;
    for (const query of [create, `${create} #revokeConsentReceipt`, `${create} #ingestEvents`]) {
      const answer = await partner.graphql(query);
      expect([answer.status, left(answer)], query).to.deep.equal([429, '"write";r=0']);
    }
    const both = `mutation ($key: String!, $other: String!) {
      createCustomer(idempotencyKey: $other, input: { externalId: "x" }) { status }
      revokeConsentReceipt(idempotencyKey: $key, id: "none") { workflowId } }`;
    const { errors } = await partner.graphql(both, { other: `points-both-${url}` });
    expect(errors.map(({ extensions }) => extensions['code'])).to.deep.equal(['RATE_LIMITED', 'NOT_FOUND']);
  });
});

const DEAR =
  '{ customers(first: 100) { nodes { consentReceipts(first: 100) { nodes { id customer { id } } } } } }';
