import { expect } from 'chai';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { LiveClient } from '../support/LiveClient.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const PROFILE = `subscription ($id: ID!) { profileChanged(customerId: $id, consentPurpose: PERSONALIZATION) {
  facts { attribute resolvedValue } } }`;

describe('subscriptions over SSE', () => {
  let service: TestService;
  let app: TestPartner;
  const clients: LiveClient[] = [];

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(async () => {
    for (const client of clients) client.close();
    await service.stop();
  });

  async function subscribe(...args: Parameters<typeof LiveClient.open>): Promise<LiveClient> {
    const client = await LiveClient.open(...args);
    clients.push(client);
    return client;
  }

  it('tells a profile at once and whenever it changes, and ends with CONSENT_DENIED', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const client = await subscribe(app, PROFILE, { id: customer });
    expect(client.status).to.equal(200);
    await client.until(({ results }) => results.length > 0);
    expect(client.results[0].data.profileChanged.facts).to.deep.equal([]);
    await sendClaims(app, claimBody(customer));
    await client.until(({ results }) => results.at(-1).data.profileChanged.facts.length > 0);
    expect(client.results.at(-1).data.profileChanged.facts).to.deep.equal([
      { attribute: 'favourite_genre', resolvedValue: 'crime' },
    ]);
    await revoke(app, receipt);
    await client.over();
    expect(client.isComplete).to.equal(true);
    expect(client.results.at(-1)).to.nested.include({
      'data.profileChanged': null,
      'errors[0].extensions.code': 'CONSENT_DENIED',
    });
  });
});
