import { expect } from 'chai';
import type { GraphqlAnswer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';

/** Often enough that the operation is compiled and Apollo Server no longer sees it. */
const TIMES = 5;

describe('A repeated operation', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;
  let open: string;
  let closed: string;

  before(async () => {
    service = await TestService.start();
    [app, other] = [await service.makeApp(), await service.makeApp()];
    [open, closed] = [
      await makeCustomer(app, { metadata: { a: { b: [1, null] } } }),
      await makeCustomer(app),
    ];
    await grant(app, open, 'personalization', 'support');
    await sendClaims(
      app,
      claimBody(open),
      claimBody(open, { attribute: 'address', value: { Zip_Code: null }, consent_purpose: 'support' }),
    );
    await revoke(app, await grant(app, closed, 'personalization'));
  });
  after(() => service.stop());

  /**
   * What a client sees, but for what differs from request to request and for the order in which fields
   * failed.
   */
  function shape({ status, headers, body, data, errors }: GraphqlAnswer): Json {
    const told = errors.map(({ extensions, ...error }) =>
      JSON.stringify({ ...error, ...extensions, requestId: '' }),
    );
    const shown = JSON.stringify({ data }).replaceAll(/"evaluatedAt":"[^"]*"/g, '');
    const sent = ['content-type', 'cache-control', 'www-authenticate', 'retry-after'].map((name) =>
      headers.get(name),
    );
    return { status, members: Object.keys(body), text: shown, errors: told.toSorted(), sent };
  }

  const QUERIES: [string, Record<string, unknown>][] = [
    [
      'query($id: ID!) { customer(id: $id) { __typename id metadata profile { username } again: externalId } }',
      {},
    ],
    [
      'query($id: ID!) { customer(id: $id) { id ...Facts } } fragment Facts on Customer { resolvedProfile { facts { attribute resolvedValue evidence { value provenance { sourceSystem } } } } claims { nodes { id value } } }',
      {},
    ],
    [
      'query($id: ID!, $p: ConsentPurpose) { resolvedProfile(customerId: $id, consentPurpose: $p) { customerId facts { attribute consentPurpose resolutionMethod } } }',
      { p: 'PERSONALIZATION' },
    ],
    [
      'query($ids: [ID!]!) { profiles(customerIds: $ids, consentPurpose: PERSONALIZATION) { customerId facts { resolvedValue } } }',
      {},
    ],
    [
      'query($id: ID!, $yes: Boolean!) { customer(id: $id) { id @skip(if: $yes) externalId @include(if: $yes) } }',
      { yes: true },
    ],
    [
      'query($id: ID!) { effectiveConsent(customerId: $id) { purposes { purpose status } evaluatedAt latestReceiptId } nothing: customer(id: "cus_nobody") { id } }',
      {},
    ],
    [
      'query($id: ID!, $n: Int) { claims(customerId: $id, first: $n) { edges { cursor node { id } } pageInfo { hasNextPage nextCursor } } }',
      { n: 1 },
    ],
    [
      'query($id: ID!, $n: Int) { claims(customerId: $id, first: $n) { edges { node { id } } pageInfo { hasNextPage } } }',
      { n: 0 },
    ],
    ['query($id: ID!) { customer(id: $id) { id consentReceipts(after: "made-up") { nodes { id } } } }', {}],
  ];

  const variablesOf = (id: string, given: Record<string, unknown>): Record<string, unknown> => ({
    id,
    ids: [closed, id, 'cus_nobody'],
    ...given,
  });

  /** Only what the query declares: GraphQL ignores the rest, but the test should not lean on that. */
  const ask = (by: TestPartner, query: string, variables: Record<string, unknown>): Promise<GraphqlAnswer> =>
    by.graphql(
      query,
      Object.fromEntries(Object.entries(variables).filter(([name]) => query.includes(`$${name}:`))),
    );

  for (const [index, [query, given]] of QUERIES.entries()) {
    it(`is answered the same every time, by the scopes of each caller (${index + 1})`, async () => {
      const narrow = await service.narrowed(app, 'customers:read', 'consent:read');
      const callers = [app, narrow, other, service.nobody, service.admin];
      const first: Json[] = [];
      for (const by of callers)
        first.push(shape(await ask(by, `${query} # ${index}`, variablesOf(open, given))));
      for (let time = 0; time < TIMES; time += 1) {
        for (const [place, by] of callers.entries()) {
          expect(
            shape(await ask(by, `${query} # ${index}`, variablesOf(open, given))),
            `caller ${place}, time ${time}`,
          ).to.deep.equal(first[place]);
        }
      }
      const texts = first.map(({ text }) => text as string);
      expect(texts[2], 'another app sees nothing').to.not.include(open.slice(4)).and.not.include('crime');
      expect(texts[3], 'nobody sees nothing').to.not.include(open.slice(4)).and.not.include('crime');
    });
  }

  it('is refused with variables that do not fit, and costs that grew, as the first time', async () => {
    const query =
      'query($n: Int) { customers(first: $n) { nodes { consentReceipts(first: $n) { nodes { id customer { id } } } } } }';
    for (let time = 0; time < TIMES; time += 1)
      expect((await app.graphql(query, { n: 5 })).errors).to.deep.equal([]);
    for (const n of [100, 'x', 1.5, {}, [5, 6]]) {
      const answer = await app.graphql(query, { n });
      const fresh = await app.graphql(`${query} # ${JSON.stringify(n)}`, { n });
      expect(answer.errors.length, String(n)).to.be.above(0);
      expect(shape(answer)).to.deep.equal(shape(fresh));
    }
  });

  it('is refused every time when it costs too much as it stands', async () => {
    const query =
      '{ customers(first: 100) { nodes { consentReceipts(first: 100) { nodes { id customer { id } } } } } }';
    for (let time = 0; time < TIMES; time += 1) {
      const answer = await app.graphql(query);
      expect([answer.data, answer.errors[0]?.message], `time ${time}`).to.deep.equal([
        undefined,
        'The operation costs 40201 fields; at most 20000 are allowed. Ask for smaller pages.',
      ]);
    }
  });

  it('costs one point, also if graphql-js reports its errors', async () => {
    const limited = (await service.makeApp()).at(await service.addNode({ RATE_LIMITS: 'read=6' }));
    const query =
      'query($id: ID!) { a: customer(id: $id) { id } b: customer(id: $id) { id } c: customer(id: $id) { id } }';
    const codes = ({ errors }: GraphqlAnswer): Json[] => errors.map(({ extensions }) => extensions['code']);
    for (const left of [5, 4, 3, 2, 1, 0]) {
      const answer = await limited.graphql(query, { id: 'cus_nobody' });
      expect(codes(answer), `${left} left`).to.deep.equal(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
      expect(answer.headers.get('ratelimit')).to.match(new RegExp(`^"read";r=${left};`));
    }
    const refused = await limited.graphql(query, { id: 'cus_nobody' });
    expect([refused.status, ...codes(refused)]).to.deep.equal([429, 'RATE_LIMITED']);
  });

  it('shows nothing once its purpose is revoked', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer, { value: 'compiled-secret' }));
    const query =
      'query($id: ID!) { resolvedProfile(customerId: $id) { facts { resolvedValue } } claims(customerId: $id) { nodes { value } } }';
    for (let time = 0; time < TIMES; time += 1)
      expect((await app.graphql(query, { id: customer })).text).to.include('compiled-secret');
    await revoke(app, receipt);
    for (let time = 0; time < TIMES; time += 1)
      expect((await app.graphql(query, { id: customer })).text).to.not.include('compiled-secret');
  });

  it('does not mix variables of concurrent requests', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, () => makeCustomer(app)));
    const query = 'query($id: ID!) { customer(id: $id) { id externalId } }';
    const answers = await Promise.all(
      customers.flatMap((id) => Array.from({ length: 5 }, () => app.graphql(query, { id }))),
    );
    expect(answers.map(({ data }) => data.customer.id as string)).to.deep.equal(
      customers.flatMap((id) => Array.from({ length: 5 }, () => id)),
    );
  });
});
