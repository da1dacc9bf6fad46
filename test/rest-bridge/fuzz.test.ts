import { expect } from 'chai';
import fc from 'fast-check';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { recordProof } from '../support/recordProof.js';
import { TestService } from '../support/TestService.js';
import { claimBody, grant, makeCustomer } from '../support/records.js';
import { takesBody } from '../support/routeShape.js';
import { hostileJson } from './hostileValues.js';
import { routeCases } from './routeCases.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const RUNS = IN_PROOFS ? 1500 : 40;

/** Written as JSON, with numbers that no double can hold put in where the marker stands. */
const asText = (value: unknown): string => JSON.stringify(value).replaceAll('"-0"', '1e999');

/** Bodies that broke a door once, or might. */
const DEEP = 100_000;
const HOSTILE = [
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  `{"metadata":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  `{"metadata":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`,
  `{"claims":[{"value":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}]}`,
  `{"claims":[{"value":1e999},{"x":"\\ud800"},{"\\ud800":1},{"x":"\\u0000"}]}`,
  `{"events":[{"properties":1e999},{"x":"\\ud800"},{"properties":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}]}`,
  `{"fields":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  `{"external_id":"\\u0000"}`,
  `{"external_id":"\\ud83d"}`,
  `{"external_id":"x","metadata":{"n":1e999}}`,
  `{"external_id":"x","metadata":{"\\u0000":1}}`,
  `{"external_id":"${'x'.repeat(900_000)}"}`,
  `{"external_id":"x","metadata":{"a":"${'A'.repeat(60_000)}"}}`,
  `{"external_id":"x","metadata":{"a":"${'a.'.repeat(30_000)}"}}`,
  `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
  '{"purposes":null,"reason":null,"note":null}',
];

describe('Fuzzed bodies', () => {
  let service: TestService;
  let app: TestPartner;
  const seen = { bodies: 0, routes: 0 };

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(async () => {
    await service.stop();
    recordProof({
      proof: '../rest-bridge/fuzz',
      injected: `generated bodies for ${seen.routes} routes, and those that broke a door once`,
      times: seen.bodies,
      checked: 'nothing answers 5xx, every refusal has its code, and the route works afterwards',
      figure: '0 × 5xx',
      broken: '– (`../rest-bridge/requestFuzz` keeps some)',
    });
  });

  async function expectAnswer(by: TestPartner, method: string, path: string, body: string): Promise<void> {
    seen.bodies += 1;
    const answer = await by.rest(method, path, body);
    expect(
      answer.status,
      `${method} ${path} ${body.slice(0, 200)} -> ${answer.text.slice(0, 200)}`,
    ).to.be.below(500);
    if (answer.status >= 400) expect(answer.body.error.code).to.be.a('string');
  }

  for (const route of allRoutes.filter(takesBody)) {
    const routeCase = routeCases[route.operation];
    if (routeCase === undefined) continue;

    it(`get a status below 500 from ${route.method} ${route.path}`, async function () {
      this.timeout(180_000 + RUNS * 1000);
      seen.routes += 1;
      const by = routeCase.needs === 'admin' ? service.admin : app;
      const path = await routeCase.path(app, service);
      const valid = (await routeCase.body?.(app, service, path)) as Record<string, unknown>;
      const names = Object.keys(valid);
      for (const body of HOSTILE) await expectAnswer(by, route.method, path, body);
      const mutated = fc
        .tuple(fc.constantFrom(...names, 'metadata', 'profile', 'evidence', 'value'), hostileJson)
        .map(([name, value]) => ({ ...valid, [name]: value }));
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ arbitrary: mutated, weight: 3 }, { arbitrary: hostileJson, weight: 1 }),
          (value) => expectAnswer(by, route.method, path, asText(value)),
        ),
        { numRuns: RUNS },
      );
      // Whatever it was sent, the route still works.
      const again = await by.rest(
        route.method,
        await routeCase.path(app, service),
        await routeCase.body?.(app, service, path),
      );
      expect(again.status, again.text).to.be.below(500);
    });
  }

  it('contain claims whose accepted values are applied and read back unchanged', async () => {
    const customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const values = [
      1e308,
      -0.1,
      5e-324,
      '',
      ' ',
      '\u202e',
      '💩'.repeat(50),
      { '': { '': [] } },
      [],
      ['b', 'a', 'b'],
      true,
      JSON.parse('{"__proto__":1}') as object,
    ];
    for (const [place, value] of values.entries()) {
      const body = claimBody(customer, {
        attribute: `probe_${place}`,
        value,
        observed_at: '0001-01-01T00:00:00Z',
        context: '',
      });
      expect((await app.rest('POST', '/v1/claims', body)).status, JSON.stringify(value)).to.equal(202);
    }
    let read = await app.rest('GET', `/v1/profiles/${customer}/claims?limit=100`);
    while (read.body.data.length < values.length)
      read = await app.rest('GET', `/v1/profiles/${customer}/claims?limit=100`);
    for (const { attribute, value } of read.body.data as { attribute: string; value: unknown }[]) {
      expect(JSON.stringify(value)).to.equal(JSON.stringify(values[Number(attribute.slice(6))]));
    }
    const profile = await app.rest('GET', `/v1/profiles/${customer}`);
    expect(profile.status).to.equal(200);
  });

  describe('of GraphQL', () => {
    it('are refused, never an internal error', async () => {
      const bad = ['\u0000', '\ud800', '\u0000'.repeat(300)];
      const queries = [
        'mutation($key: String!, $bad: String!) { createCustomer(idempotencyKey: $key, input: { externalId: $bad }) { status } }',
        'mutation($key: String!, $bad: ID!) { updateCustomer(idempotencyKey: $key, id: $bad, input: { externalId: "x" }) { id } }',
        'mutation($key: String!, $bad: ID!) { deleteCustomer(idempotencyKey: $key, id: $bad) { id } }',
        'mutation($key: String!, $bad: ID!) { revokeConsentReceipt(idempotencyKey: $key, id: $bad) { workflowId } }',
        'mutation($key: String!, $bad: ID!) { cancelConnectionSession(idempotencyKey: $key, id: $bad) { id } }',
        'mutation($key: String!, $bad: ID!) { rotateWebhookSecret(idempotencyKey: $key, id: $bad) { signingSecret } }',
        'mutation($key: String!, $bad: ID!) { updateApp(idempotencyKey: $key, id: $bad, input: { name: "x" }) { id } }',
        'query($bad: ID!) { customer(id: $bad) { id } }',
        'query($bad: ID!) { consentReceipt(id: $bad) { id } }',
        'query($bad: ID!) { effectiveConsent(customerId: $bad) { customerId } }',
        'query($bad: ID!) { resolvedProfile(customerId: $bad) { customerId } }',
        'query($bad: ID!) { profiles(customerIds: [$bad]) { customerId } }',
        'query($bad: ID!) { claims(customerId: $bad) { nodes { id } } }',
        'query($bad: ID!) { workflow(id: $bad) { id } }',
        'query($bad: ID!) { app(id: $bad) { id } }',
        'query($bad: String!) { customers(externalId: $bad) { nodes { id } } }',
        'query($bad: String!) { customers(after: $bad) { nodes { id } } }',
        'query($bad: ID!) { consentReceipts(customerId: $bad) { nodes { id } } }',
      ];
      for (const query of queries) {
        for (const value of bad) {
          const { errors, text } = await app.graphql(query, { bad: value });
          expect(
            errors.map(({ extensions }) => extensions['status'] as number),
            `${query} ${text}`,
          ).to.satisfy(
            (statuses: number[]) => statuses.length > 0 && statuses.every((status) => status < 500),
          );
        }
      }
    });

    it('are hashed at any depth', async () => {
      // As text: `JSON.stringify` of such a value recurses too.
      const metadata = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const query =
        'mutation($m: JSONObject) { createCustomer(idempotencyKey: "0123456789abcdef", input: { externalId: "d", metadata: $m }) { status } }';
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { ...app.credentials, 'content-type': 'application/json' },
        body: `{"query":${JSON.stringify(query)},"variables":{"m":${metadata}}}`,
      });
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      expect(errors[0]?.extensions.code).to.equal('VALIDATION_FAILED');
    });
  });
});
