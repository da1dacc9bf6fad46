import { expect } from 'chai';
import { LiveClient } from '../support/LiveClient.js';
import { makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** Often enough that a query is compiled. */
const TIMES = 6;

describe('Operations answered by one event', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  /** How many operations with these root fields were measured. */
  async function measured(operation: string, outcome: string): Promise<number> {
    const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    const labels = `operation="${operation}",outcome="${outcome}"`;
    const [, count = '0'] =
      new RegExp(`^graphql_operation_duration_seconds_count\\{${labels}\\} (\\d+)`, 'm').exec(text) ?? [];
    return Number(count);
  }

  it('are measured, and answered as over HTTP', async () => {
    const id = await makeCustomer(app);
    const query = `query ($id: ID!) { one: customer(id: $id) { id externalId } none: customer(id: "cus_nobody") { id }
      again: customer(id: "cus_nobody") { id } }`;
    const strip = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer).replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'));
    const plain = await app.graphql(query, { id });
    for (let time = 0; time < TIMES; time += 1) {
      const client = await LiveClient.open(app, query, { id });
      await client.over();
      expect(client.isComplete).to.equal(true);
      expect(client.results.map(strip), `time ${time}`).to.deep.equal([strip(plain.body)]);
    }
    expect(await measured('customer,customer,customer', 'errors')).to.equal(1 + TIMES);
  });

  it('are measured when their variables are not valid, and refused as JSON', async () => {
    const query = 'query ($first: Int) { customers(first: $first) { nodes { id } } }';
    const client = await LiveClient.open(app, query, { first: 'x' });
    expect(client.status).to.equal(400);
    expect((await app.graphql(query, { first: 'x' })).errors).to.have.length(1);
    expect(await measured('customers', 'errors')).to.equal(2);
  });
});
