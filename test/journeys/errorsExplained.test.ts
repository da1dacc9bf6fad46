import { expect } from 'chai';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { makeCustomer } from '../support/records.js';

describe('Errors', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  const pageOf = (code: string): string => `${service.url}/docs/errors#${code}`;

  it('have an explanation over REST wherever they arise', async () => {
    const customer = await makeCustomer(app);
    const answers = await Promise.all([
      app.rest('GET', '/v1/customers?limit=0'),
      app.rest('GET', '/v1/customers/none'),
      app.rest('GET', '/nowhere'),
      app.rest('GET', '/%ff'),
      app.rest('PUT', '/v1/customers'),
      service.nobody.rest('GET', '/v1/customers'),
      app.rest('GET', `/v1/profiles/${customer}?consent_purpose=support`),
      app.rest('POST', '/v1/customers', {}, { 'idempotency-key': '' }),
      app.rest('POST', '/v1/customers', '{'),
      app.rest('POST', '/v1/customers', {}),
      service.nobody.rest('POST', '/oauth/introspect', 'token=x', {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ]);
    for (const { body } of answers)
      expect(body.error.documentation_url).to.equal(pageOf(body.error.code as string));
    const details: Json[] = answers.flatMap(({ body }) => body.error.details ?? []);
    for (const { code, documentation_url: url } of details) expect(url).to.equal(pageOf(code as string));
    expect(new Set(details.map(({ code }) => code as string)).size).to.be.above(1);
    expect(new Set(answers.map(({ body }) => body.error.code as string)).size).to.be.above(6);
  });

  it('have an explanation over GraphQL wherever they arise', async () => {
    const answers = await Promise.all([
      app.graphql('{ customer(id: "none") { id } }'),
      app.graphql('{'),
      app.graphql('{ nothing }'),
      app.graphql('query ($first: Int) { customers(first: $first) { nodes { id } } }', { first: 'x' }),
      app.graphql('{ customers { nodes { id } } }', {}, { 'content-type': 'text/plain' }),
      service.nobody.graphql('{ customers { nodes { id } } }'),
    ]);
    for (const { errors } of answers) {
      expect(errors).to.not.deep.equal([]);
      for (const { extensions } of errors) {
        const url = pageOf((extensions['code'] as string).toLowerCase());
        expect(extensions).to.include({ documentationUrl: url, documentation_url: url });
        for (const { code, ...detail } of (extensions['details'] ?? []) as Json[]) {
          const page = pageOf(code as string);
          expect(detail).to.include({ documentationUrl: page, documentation_url: page });
        }
      }
    }
  });

  it('have at most fifty details and the number of omitted ones', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`f${index}`, 1]));
    const { body } = await app.rest('POST', '/v1/customers', { external_id: 'x', ...unknown });
    expect([body.error.details.length, body.error.details_omitted]).to.deep.equal([50, 20]);
    const mutation = `mutation ($key: String!, $id: ID!, $uris: [String!]!) {
      updateApp(id: $id, idempotencyKey: $key, input: { redirectUris: $uris, name: "" }) { id } }`;
    const uris = Array.from({ length: 50 }, () => 'no uri');
    const [error] = (await app.graphql(mutation, { id: app.appId, uris })).errors;
    expect(error?.extensions['details']).to.have.length(50);
    expect(error?.extensions).to.include({ detailsOmitted: 1, details_omitted: 1 });
  });

  it('have at most fifty details per item of a batch', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`f${index}`, 1]));
    const { body } = await app.rest('POST', '/v1/events/batch', { events: [unknown] });
    expect(body.data[0].error.details).to.have.length(50);
    expect(body.data[0].error.details_omitted).to.be.above(20);
  });
});
