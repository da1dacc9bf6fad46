import { expect } from 'chai';
import { gatingMask, openPurposes } from '../../../src/domain/webhooks/consentGate.js';
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
