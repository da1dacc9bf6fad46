import { expect } from 'chai';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';

describe('Pages of a list', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customer = await makeCustomer(app);
    await grant(app, customer, 'personalization', 'support');
    const claims = Array.from({ length: 30 }, (_, index) =>
      claimBody(customer, { value: index, consent_purpose: index % 3 ? 'personalization' : 'support' }),
    );
    expectStatus(await app.rest('POST', '/v1/claims/batch', { claims }), 202);
    await sendClaims(app, claimBody(customer, { value: 30 }));
    for (let index = 0; index < 12; index += 1) await grant(app, customer, 'support');
  });
  after(() => service.stop());

  const page = async (path: string): Promise<Json> => expectStatus(await app.rest('GET', path), 200);

  /** Every item of the list, page by page; `between` runs before each next page. */
  async function walk(
    path: string,
    limit: number,
    between: () => Promise<unknown> = async () => undefined,
  ): Promise<Json[]> {
    const items: Json[] = [];
    let cursor: string | undefined;
    do {
      const next: Json = await page(
        `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(next.data.length).to.be.at.most(limit);
      expect(next.pagination.has_more).to.equal('next_cursor' in next.pagination);
      if (next.pagination.has_more) expect(next.data).to.have.length(limit);
      items.push(...next.data);
      cursor = next.pagination.next_cursor;
      await between();
    } while (cursor !== undefined);
    return items;
  }

  const lists: [string, () => string, () => Promise<unknown>][] = [
    ['customers', () => '/v1/customers', () => makeCustomer(app)],
    ['receipts', () => '/v1/consent-receipts', () => grant(app, customer, 'support')],
    [
      'receipts of a customer',
      () => `/v1/consent-receipts?customer_id=${customer}`,
      () => grant(app, customer, 'support'),
    ],
    [
      'claims',
      () => `/v1/profiles/${customer}/claims`,
      () => sendClaims(app, claimBody(customer, { value: 'new' })),
    ],
    [
      'claims of a purpose',
      () => `/v1/profiles/${customer}/claims?consent_purpose=support`,
      () => sendClaims(app, claimBody(customer, { consent_purpose: 'support' })),
    ],
  ];

  for (const [name, path, insert] of lists) {
    it(`contain each item of ${name} once for any page size`, async () => {
      const whole = (await walk(path(), 100)).map(({ id }) => id as string);
      expect(new Set(whole).size).to.equal(whole.length);
      for (const limit of [1, 7, whole.length, whole.length + 1].filter((size) => size > 0 && size <= 100)) {
        expect(
          (await walk(path(), limit)).map(({ id }) => id as string),
          `by ${limit}`,
        ).to.deep.equal(whole);
      }
    });

    it(`neither repeat nor skip ${name} while items are added`, async () => {
      const before = (await walk(path(), 100)).map(({ id }) => id as string);
      const walked = (await walk(path(), 4, insert)).map(({ id }) => id as string);
      expect(walked).to.deep.equal(before);
      expect(
        (await page(`${path()}${path().includes('?') ? '&' : '?'}limit=1`)).data[0].id,
        'the newest comes first',
      ).to.not.equal(before[0]);
    });
  }

  it('have 25 items by default', async () => {
    expect((await page(`/v1/profiles/${customer}/claims`)).data).to.have.length(25);
    const { data } = await app.graphql('query($id: ID!) { claims(customerId: $id) { edges { cursor } } }', {
      id: customer,
    });
    expect(data.claims.edges).to.have.length(25);
  });

  it('continue from a cursor of REST or GraphQL', async () => {
    const first = await page(`/v1/profiles/${customer}/claims?limit=5`);
    const query =
      'query($id: ID!, $after: String) { claims(customerId: $id, first: 5, after: $after) { edges { cursor node { id } } pageInfo { endCursor hasNextPage } } }';
    const graphql = await app.graphql(query, { id: customer, after: first.pagination.next_cursor });
    const rest = await page(`/v1/profiles/${customer}/claims?limit=5&cursor=${first.pagination.next_cursor}`);
    expect(graphql.data.claims.edges.map(({ node }: Json) => node.id)).to.deep.equal(
      rest.data.map(({ id }: Json) => id),
    );
    const middle = graphql.data.claims.edges[1].cursor;
    const onward = await page(`/v1/profiles/${customer}/claims?limit=3&cursor=${middle}`);
    expect(onward.data.map(({ id }: Json) => id)[0]).to.equal(graphql.data.claims.edges[2].node.id);
    expect(graphql.data.claims.pageInfo.endCursor).to.equal(graphql.data.claims.edges[4].cursor);
  });

  it('refuse a cursor of another list, filter, customer or app', async () => {
    const other = await service.makeApp();
    const otherCustomer = await makeCustomer(app);
    await grant(app, otherCustomer, 'personalization');
    const { next_cursor: claims } = (await page(`/v1/profiles/${customer}/claims?limit=1`)).pagination;
    const { next_cursor: customers } = (await page('/v1/customers?limit=1')).pagination;
    const foreign: [TestPartner, string, string][] = [
      [app, `/v1/profiles/${customer}/claims?consent_purpose=support`, claims],
      [app, `/v1/profiles/${otherCustomer}/claims`, claims],
      [app, `/v1/profiles/${customer}/claims`, customers],
      [app, '/v1/customers?external_id=x', customers],
      [app, '/v1/consent-receipts', customers],
      [other, '/v1/customers', customers],
    ];
    for (const [by, path, cursor] of foreign) {
      const { error } = expectStatus(
        await by.rest('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`),
        400,
      );
      expect(error.details[0], path).to.include({ field: 'cursor' });
    }
  });

  it('show nothing that was revoked between two pages', async () => {
    const id = await makeCustomer(app);
    const receipt = await grant(app, id, 'personalization', 'support');
    const claims = Array.from({ length: 6 }, (_, index) =>
      claimBody(id, { value: index, consent_purpose: index % 2 ? 'personalization' : 'support' }),
    );
    expectStatus(await app.rest('POST', '/v1/claims/batch', { claims }), 202);
    await sendClaims(app, claimBody(id, { value: 6, consent_purpose: 'support' }));
    const first = await page(`/v1/profiles/${id}/claims?limit=2`);
    expectStatus(
      await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, { purposes: ['personalization'] }),
      202,
    );
    const rest = await page(`/v1/profiles/${id}/claims?limit=10&cursor=${first.pagination.next_cursor}`);
    expect(rest.data.map(({ value }: Json) => value)).to.deep.equal([4, 2, 0]);
  });
});
