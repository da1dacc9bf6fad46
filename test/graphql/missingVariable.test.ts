import { expect } from 'chai';
import type { Json } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('a variable that is missing or does not fit', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it("is reported as the client's mistake", async () => {
    const app = await service.makeApp();
    const missing = await app.graphql('query ($id: ID!) { customer(id: $id) { id } }');
    expect(missing.errors.map(({ extensions }) => [extensions['code'], extensions['status']])).to.deep.equal([
      ['INVALID_REQUEST', 400],
    ]);
    const wrong = await app.graphql('query ($first: Int) { customers(first: $first) { nodes { id } } }', {
      first: 'x',
    });
    expect(wrong.errors[0]?.extensions['code']).to.equal('INVALID_REQUEST');
  });

  it("is the client's mistake too when it has a default and is null", async () => {
    const app = await service.makeApp();
    const cases: [query: string, name: string][] = [
      ['query ($x: ID = "x") { customer(id: $x) { id } }', 'id'],
      ['query ($x: Boolean = true) { customers { pageInfo { hasNextPage @include(if: $x) } } }', 'if'],
      ['query ($x: ID = "x") { profiles(customerIds: [$x]) { customerId } }', 'customerIds'],
      [
        'mutation ($x: String = "0123456789abcdef") { deleteCustomer(id: "c", idempotencyKey: $x) { id } }',
        'idempotencyKey',
      ],
    ];
    for (const [query, name] of cases) {
      for (const times of [1, 2]) {
        const { errors } = await app.graphql(query, { x: null });
        const [error] = errors;
        expect(error?.extensions, `${query} ${times}`).to.include({ code: 'INVALID_REQUEST', status: 400 });
        expect(error?.message).to.include(`"${name}"`);
      }
    }
  });

  it('in an input object is reported as over REST, without repeating the value', async () => {
    const app = await service.makeApp();
    const query =
      'mutation($key: String!, $input: CreateConsentReceiptInput!) { createConsentReceipt(idempotencyKey: $key, input: $input) { id } }';
    const input = { purposes: ['SPYING'], evidence: { ipAdress: '10.1.2.3' } };
    const { errors, data, text } = await app.graphql(query, { input });
    expect(data).to.equal(undefined);
    expect(errors.map(({ extensions }) => [extensions['code'], extensions['status']])).to.deep.equal(
      Array(3).fill(['VALIDATION_FAILED', 422]),
    );
    const details = errors.flatMap(({ extensions }) => extensions['details']);
    expect(details.map(({ code, field }) => `${field}: ${code}`)).to.have.members([
      'customerId: required',
      'purposes[0]: invalid_value',
      'evidence.ipAdress: unknown_field',
    ]);
    expect(text).to.not.include('10.1.2.3');
  });

  it('in an input object has the code and the words of REST where its type is wrong', async () => {
    const app = await service.makeApp();
    const values = ['4111111111111111', 5, null, true, ['4111111111111111'], { card: '4111111111111111' }];
    const claim = { customerId: 'x', attribute: 'a', value: 'x', source: 's' };
    const cases: [string, string, (value: unknown) => object, unknown[]][] = [
      ['createCustomer', 'externalId', (externalId) => ({ externalId }), values.slice(1)],
      ['createCustomer', 'metadata', (metadata) => ({ externalId: 'x', metadata }), values.slice(0, 5)],
      ['createCustomer', 'profile', (profile) => ({ externalId: 'x', profile }), values.slice(0, 5)],
      ['createConsentReceipt', 'purposes', (item) => ({ customerId: 'x', purposes: [item] }), [null]],
      ['ingestClaim', 'value', (value) => ({ ...claim, value }), [[1], null]],
      ['ingestClaim', 'confidence', (confidence) => ({ ...claim, confidence }), ['1', {}]],
      ['createConnectionSession', 'expiresIn', (expiresIn) => ({ customerId: 'x', expiresIn }), ['60', 60.5]],
    ];
    const paths: Record<string, string> = {
      createCustomer: '/v1/customers',
      createConsentReceipt: '/v1/consent-receipts',
      ingestClaim: '/v1/claims',
      createConnectionSession: '/v1/connection-sessions',
    };
    for (const [mutation, name, inputOf, wrong] of cases)
      for (const value of wrong) {
        const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
        const { errors, text } = await app.graphql(
          `mutation ($key: String!, $input: ${type}!) {
            ${mutation}(idempotencyKey: $key, input: $input) { __typename } }`,
          { input: inputOf(value), key: 'k'.repeat(20) },
        );
        const told = (errors ?? []).flatMap(({ extensions }) => extensions['details'] ?? []);
        const body = snakeCased(inputOf(value));
        const rest = (await app.rest('POST', paths[mutation] ?? '', body)).body.error?.details ?? [];
        const about = (details: Json[], field: string): string[] =>
          details
            .filter((detail) => detail.field.replace(/\[\d\]$/, '') === field)
            .map(({ code, message }) => `${code}: ${message}`);
        const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        expect(about(told, name), `${name} ${JSON.stringify(value)}`).to.deep.equal(about(rest, field));
        expect(text).to.not.include('41111111');
      }
  });

  it('in a member without a name is reported alike', async () => {
    const app = await service.makeApp();
    const mutation = `mutation ($key: String!, $input: CreateCustomerInput!) {
      createCustomer(idempotencyKey: $key, input: $input) { status } }`;
    const unnamed: [object, string][] = [
      [{ '': 1 }, '""'],
      [{ profile: { '': 1 } }, 'profile.""'],
    ];
    for (const [members, field] of unnamed) {
      const { errors } = await app.graphql(mutation, { input: { externalId: 'x', ...members } });
      const { error } = (await app.rest('POST', '/v1/customers', { external_id: 'x', ...members })).body;
      for (const details of [errors[0]?.extensions['details'], error.details])
        expect(details.map((detail: Json) => [detail.code, detail.field])).to.deep.equal([
          ['unknown_field', field],
        ]);
      for (const { message } of [errors[0] as Json, error])
        expect(message).to.equal(`The request is not valid: ${field}.`);
    }
  });

  it('in the size of a page is reported alike', async () => {
    const app = await service.makeApp();
    for (const size of [0, 101]) {
      const { errors } = await app.graphql(`{ customers(first: ${size}) { nodes { id } } }`);
      const { error } = (await app.rest('GET', `/v1/customers?limit=${size}`)).body;
      const detail = { code: 'invalid_parameter', message: 'must be an integer from 1 to 100' };
      for (const [details, field] of [
        [errors[0]?.extensions['details'], 'first'],
        [error.details, 'limit'],
      ] as const) {
        expect(details).to.have.length(1);
        expect(details[0]).to.include({ ...detail, field });
      }
    }
  });

  it('in a body of the wrong type is reported alike', async () => {
    const app = await service.makeApp();
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { ...app.credentials, 'content-type': 'text/plain' },
      body: '{ "query": "{ __typename }" }',
    });
    const body = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect([response.status, body.errors[0]?.extensions.code]).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

function snakeCased(input: object): object {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
