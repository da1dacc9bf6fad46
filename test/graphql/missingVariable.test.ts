import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

describe('a variable that is missing or does not fit', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it("is the client's mistake, and said so", async () => {
    const app = await service.makeApp();
    const missing = await app.graphql('query ($id: ID!) { customer(id: $id) { id } }');
    expect(missing.errors.map(({ extensions }) => [extensions['code'], extensions['status']])).to.deep.equal([
      ['BAD_USER_INPUT', 400],
    ]);
    const wrong = await app.graphql('query ($first: Int) { customers(first: $first) { nodes { id } } }', {
      first: 'x',
    });
    expect(wrong.errors[0]?.extensions['code']).to.equal('BAD_USER_INPUT');
  });
});
