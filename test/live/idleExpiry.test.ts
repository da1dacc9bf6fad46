import { expect } from 'chai';
import { LiveClient } from '../support/LiveClient.js';
import { grant, makeCustomer } from '../support/records.js';
import { TestService } from '../support/TestService.js';

const PROFILE = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute } } }`;

describe('A subscription without events', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ LIVE_RECHECK_MS: '200' });
  });
  after(() => service.stop());

  it('ends when its token expires, without a notification', async () => {
    const app = await service.makeApp();
    const customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const client = await LiveClient.open(app, PROFILE, { id: customer });
    await client.until(({ results }) => results.length > 0);
    // Time passes without a notice: only the triggers that send those are off.
    await service.sql(`DO $$ BEGIN
      ALTER TABLE oauth_artifacts DISABLE TRIGGER USER;
      UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE kind = 'ClientCredentials';
      ALTER TABLE oauth_artifacts ENABLE TRIGGER USER;
    END $$`);
    await client.over();
    expect(client.results).to.have.length(2);
    expect(client.results.at(-1).errors[0].extensions.code).to.equal('UNAUTHENTICATED');
    expect(client.isComplete).to.equal(true);
  });
});
