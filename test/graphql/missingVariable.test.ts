import { expect } from 'chai';
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
