import { expect } from 'chai';
import { gateDenials } from '../../src/access/gateDenials.js';
import { grant, makeCustomer } from '../support/records.js';
import { TestService } from '../support/TestService.js';

/** Often enough that a query is compiled. */
const TIMES = 6;

describe('A query with several errors is recorded once', () => {
  let service: TestService;

  before(async () => (service = await TestService.start({ ROLE: 'gateway' })));
  after(() => service.stop());

  async function denials(): Promise<Record<string, number>> {
    const { values } = await gateDenials.get();
    const counts: Record<string, number> = {};
    // A purpose has a value for each gate.
    for (const { labels, value } of values)
      counts[String(labels.purpose)] = (counts[String(labels.purpose)] ?? 0) + value;
    return counts;
  }

  /** How many denials of each purpose the same query causes when it is sent repeatedly. */
  async function deniedBy(query: string): Promise<Record<string, number>> {
    const app = await service.makeApp();
    const customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const before = await denials();
    for (let time = 0; time < TIMES; time += 1) {
      const { errors } = await app.graphql(query, { id: customer });
      expect(errors.map(({ extensions }) => extensions['code'])).to.include('CONSENT_DENIED');
    }
    const counted = Object.entries(await denials()).map(([purpose, count]): [string, number] => [
      purpose,
      count - (before[purpose] ?? 0),
    ]);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  }

  const profile = (alias: string, purpose: string): string =>
    `${alias}: resolvedProfile(customerId: $id, consentPurpose: ${purpose}) { customerId }`;

  it('among the denials, whichever of its fields are denied', async () => {
    const several = `query ($id: ID!) { ${profile('a', 'ANALYTICS')} ${profile('b', 'SUPPORT')} }`;
    expect(await deniedBy(several)).to.deep.equal({ analytics: TIMES, support: TIMES });
    const partial = `query ($id: ID!) { ${profile('a', 'ANALYTICS')} ${profile('b', 'PERSONALIZATION')}
      ${profile('c', 'ANALYTICS')} customer(id: "cus_nobody") { id } }`;
    expect(await deniedBy(partial)).to.deep.equal({ analytics: 2 * TIMES });
    const items = `query ($id: ID!) { ${profile('a', 'SUPPORT')}
      profiles(customerIds: [$id, "cus_nobody"], consentPurpose: ANALYTICS) { customerId } }`;
    expect(await deniedBy(items)).to.deep.equal({ analytics: TIMES, support: TIMES });
  });

  it('in the log of operators, with every field that it asked for', async () => {
    const { appId } = await service.makeApp();
    const query = `{ a: app(id: "app_x1") { id } b: app(id: "app_x2") { id } c: app(id: "${appId}") { id } }`;
    for (let time = 0; time < TIMES; time += 1) {
      const { errors, data } = await service.admin.graphql(query);
      expect(errors).to.have.length(2);
      expect(data.c.id).to.equal(appId);
    }
    const rows = await service.sql(
      `SELECT request_id, count(*) FILTER (WHERE outcome = 'begun')::int AS begun,
              count(*) FILTER (WHERE outcome = 'refused')::int AS refused,
              count(*) FILTER (WHERE outcome = 'done')::int AS done
         FROM operator_log WHERE action = 'app' GROUP BY request_id`,
    );
    expect(rows.map(({ begun, refused, done }) => [begun, refused, done])).to.deep.equal(
      Array.from({ length: TIMES }, () => [3, 2, 1]),
    );
  });

  it('in the log of operators, also with an id that cannot be stored', async () => {
    const refused: [string, string][] = [
      ['\0', 'INVALID_REQUEST'],
      ['\uD800', 'INVALID_REQUEST'],
      [`${'a'.repeat(127)}😀`, 'NOT_FOUND'],
    ];
    for (const [id, code] of refused)
      for (const query of [
        'query ($id: ID!) { app(id: $id) { id } }',
        'mutation ($id: ID!, $key: String!) { rotateAppSecret(id: $id, idempotencyKey: $key) { clientSecret } }',
      ]) {
        const { errors } = await service.admin.graphql(query, { id });
        expect(errors.map(({ extensions }) => extensions['code'])).to.deep.equal([code]);
      }
    const rows = await service.sql("SELECT outcome FROM operator_log WHERE action = 'rotateAppSecret'");
    expect(rows.map(({ outcome }) => outcome)).to.deep.equal(refused.flatMap(() => ['begun', 'refused']));
  });
});
