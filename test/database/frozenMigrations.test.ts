import { expect } from 'chai';
import { ClaimDocuments1763600000010 } from '../../entities/migrations/1763600000010-claim-documents.js';
import { Speed1763600000008 } from '../../entities/migrations/1763600000008-speed.js';
import { createDataSource } from '../../ormconfig.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { acceptClaim } from '../support/acceptClaim.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../support/records.js';

const VALUES = ['a "quoted" text\n\u2028', 1e-7, 1.5, true, { nested: [1, { a: null }] }, ['x', 'y'], ''];

describe('frozen migrations', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    // Without background work: learning could write facts anew between the two looks.
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  const documents = async (): Promise<unknown[]> => [
    ...(await service.sql(
      'SELECT customer_id, sequence, document FROM claims ORDER BY customer_id, sequence',
    )),
    ...(await service.sql(
      'SELECT customer_id, purpose, document, rest_document FROM facts ORDER BY customer_id, purpose',
    )),
  ];

  it('make the texts of claims and facts as the service makes them', async () => {
    const customers = [await makeCustomer(app), await makeCustomer(app)];
    for (const customer of customers) {
      await grant(app, customer, 'personalization', 'support');
      for (const [index, value] of VALUES.entries())
        await acceptClaim(
          service,
          app,
          claimBody(customer, {
            value,
            confidence: index / 7,
            observed_at: '2026-01-02T03:04:05.678+01:00',
            ...(index % 2 === 0 ? { context: 'at the "till"' } : { consent_purpose: 'support' }),
          }),
        );
    }
    const before = await documents();
    expect(before).to.have.length(customers.length * (VALUES.length + 2));
    const listed = async (): Promise<string[]> => {
      const answers = await Promise.all(
        customers.flatMap((id) => [
          app.rest('GET', `/v1/profiles/${id}/claims`),
          app.rest('GET', `/v1/profiles/${id}`),
        ]),
      );
      return answers.map((answer) => JSON.stringify(expectStatus(answer, 200)));
    };
    const lists = await listed();

    const source = await createDataSource(service.database.ownerUrl).initialize();
    try {
      const runner = source.createQueryRunner();
      await runner.query('ALTER TABLE claims DROP COLUMN document');
      await new ClaimDocuments1763600000010().up(runner);
      await runner.query('ALTER TABLE facts DROP COLUMN rest_document');
      await new Speed1763600000008().up(runner);
      await runner.release();
    } finally {
      await source.destroy();
    }
    expect(await documents()).to.deep.equal(before);
    expect(await listed()).to.deep.equal(lists);
  });
});
