import { expect } from 'chai';
import { makeCustomer } from '../support/records.js';
import { TestService } from '../support/TestService.js';

describe('The reason for a revocation', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('is stored in the receipt, with the note of the latest revocation', async () => {
    const partner = await service.makeApp();
    const customerId = await makeCustomer(partner);
    const { body: receipt } = await partner.rest('POST', '/v1/consent-receipts', {
      customer_id: customerId,
      purposes: ['analytics', 'support'],
    });
    const revoke = `/v1/consent-receipts/${receipt.id}/revoke`;
    await partner.rest('POST', revoke, { purposes: ['support'], reason: 'policy_change', note: 'first' });
    await partner.rest('POST', revoke, {
      purposes: ['analytics'],
      reason: 'user_request',
      note: 'asked by phone',
    });
    const query = 'query ($id: ID!) { consentReceipt(id: $id) { status revocationReason revocationNote } }';
    const { data } = await partner.graphql(query, { id: receipt.id });
    expect(data.consentReceipt).to.deep.equal({
      status: 'REVOKED',
      revocationReason: 'USER_REQUEST',
      revocationNote: 'asked by phone',
    });
  });
});
