import { expect } from 'chai';
import { grant, makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('Documents that the service does not know yet', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;
  let turns: string[];

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    customer = await makeCustomer(app);
    const { parseTurns } = service.services;
    const run = parseTurns.run.bind(parseTurns);
    parseTurns.run = (appId, work, weight) => {
      turns.push(appId);
      return run(appId, work, weight);
    };
  });
  beforeEach(() => (turns = []));
  after(() => service.stop());

  it('are checked and compiled in the turn of their app, and then no more', async () => {
    const query = `{ customer(id: "${customer}") { id } }`;
    const taken: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      await app.graphql(query);
      taken.push(turns.length);
    }
    expect(taken, 'checked at the first, compiled at the third').to.deep.equal([1, 1, 2, 2, 2]);
    expect(new Set(turns)).to.deep.equal(new Set([app.appId]));
    for (let time = 0; time < 2; time += 1) await app.graphql('{ unknown }');
    expect(turns, 'one that is not valid, each time').to.have.length(4);
  });

  it('wait for no turn when they withdraw consent', async () => {
    const id = await grant(app, customer, 'support');
    const query = `mutation ($key: String!) {
      revokeConsentReceipt(id: "${id}", input: {}, idempotencyKey: $key) { status } }`;
    expect((await app.graphql(query)).errors).to.deep.equal([]);
    expect(turns).to.deep.equal([]);
  });
});
