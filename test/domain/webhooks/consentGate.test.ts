import { expect } from 'chai';
import { customerOf, gatingMask, openPurposes } from '../../../src/domain/webhooks/consentGate.js';
import { maskOf } from '../../../src/domain/purposes.js';

const epochs = [1, 1, 1, 1, 1, 1, 1];
const mask = maskOf(['analytics', 'support']);

describe('consentGate', () => {
  it('opens for purposes granted in the epoch of the change', () => {
    expect(openPurposes(mask, epochs, { grantedMask: 0b1111111, epochs })).to.deep.equal(['analytics', 'support']);
    expect(openPurposes(mask, epochs, { grantedMask: maskOf(['support']), epochs })).to.deep.equal(['support']);
  });

  it('stays shut for a purpose granted again since', () => {
    expect(openPurposes(mask, epochs, { grantedMask: 0b1111111, epochs: [1, 1, 2, 1, 1, 1, 1] })).to.deep.equal([
      'support',
    ]);
  });

  it('stays shut where an epoch is not known', () => {
    expect(openPurposes(mask, [], { grantedMask: 0b1111111, epochs: [] })).to.deep.equal([]);
  });

  it('takes customer and purposes from the data where the caller names none', () => {
    const intent = {
      intent_id: 'i',
      customer_id: 'c',
      category: 'habit',
      consent_purpose: 'support' as const,
      updated_at: '',
    };
    expect(gatingMask({ type: 'intent.updated', data: intent })).to.equal(maskOf(['support']));
    expect(
      gatingMask({ type: 'profile.updated', data: { customer_id: 'c', purposes: ['analytics'], updated_at: '' } }),
    ).to.equal(4);
    expect(customerOf({ type: 'intent.updated', data: intent })).to.equal('c');
    expect(customerOf({ type: 'webhook.test', data: { endpoint_id: 'whe_1' } })).to.equal(undefined);
  });

  it('does not gate the revocation itself', () => {
    const data = { receipt_id: 'r', customer_id: 'c', purposes: ['analytics'] as const };
    expect(
      gatingMask({ type: 'consent.granted', data: { ...data, granted_at: '' }, purposes: ['analytics'] }),
    ).to.equal(4);
    expect(
      gatingMask({
        type: 'consent.revoked',
        data: { ...data, revoked_at: '', workflow_id: '' },
        purposes: ['analytics'],
      }),
    ).to.equal(0);
  });
});
