import { expect } from 'chai';
import pg from 'pg';
import { PURPOSES } from '../../src/domain/purposes.js';
import { claimBody, finished, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** The last purpose: rows whose epochs are cut short are as if they were older than it. */
const YOUNGEST = PURPOSES.at(-1) ?? '';
const OLDER = PURPOSES.slice(0, -1).map(() => 0);

describe('a purpose that is younger than a customer and its app', () => {
  let service: TestService;
  let owner: pg.Client;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    app = await service.makeAppWith({});
  });
  after(async () => {
    await owner?.end();
    await service?.stop();
  });

  const facts = async (customer: string): Promise<unknown> =>
    (await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=${YOUNGEST}`)).body.facts;

  for (const slots of [0, 4, 6])
    it(`opens, closes and opens again for a row with ${slots} epochs`, async () => {
      const customer = await makeCustomer(app);
      await owner.query(`UPDATE customer_heads SET epochs = epochs[1:$2] WHERE customer_id = $1`, [
        customer,
        slots,
      ]);
      const claim = claimBody(customer, { consent_purpose: YOUNGEST });
      expect((await app.rest('POST', '/v1/claims', claim)).status).to.equal(403);
      const receipt = await grant(app, customer, YOUNGEST);
      await sendClaims(app, claim);
      expect(await facts(customer)).to.have.length(1);
      await finished(app, await revoke(app, receipt));
      await grant(app, customer, YOUNGEST);
      expect(await facts(customer)).to.deep.equal([]);
      await sendClaims(app, claim);
      expect(await facts(customer)).to.have.length(1);
      const { rows } = await owner.query('SELECT epochs FROM customer_heads WHERE customer_id = $1', [
        customer,
      ]);
      expect(rows).to.deep.equal([{ epochs: [...OLDER, 2] }]);
    });

  it('is allowed to an app that may use all purposes, and to no other', async () => {
    const narrow = await service.makeAppWith({ allowed_consent_purposes: ['analytics'] });
    const { rows } = await owner.query<{ app_id: string; later: boolean }>(
      'SELECT app_id, allowed_mask & (1 << 20) > 0 AS later FROM apps',
    );
    const mayUse = Object.fromEntries(rows.map(({ app_id, later }) => [app_id, later]));
    expect(mayUse).to.deep.equal({ [app.appId]: true, [narrow.appId]: false });
  });
});
