import { expect } from 'chai';
import { customerOf, gatingMask, requireGates } from '../../../src/domain/webhooks/messageGate.js';
import { maskOf } from '../../../src/domain/purposes.js';

describe('the gate of webhook messages', () => {
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
      gatingMask({
        type: 'profile.updated',
        data: { customer_id: 'c', purposes: ['analytics'], updated_at: '' },
      }),
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

  it('refuses to start with a type that is neither listed as ungated nor carries purposes', () => {
    const types = (data: Record<string, Record<string, unknown>>): Parameters<typeof requireGates>[0] => [
      { type: 'profile.updated', data },
    ];
    expect(() => requireGates(types({ customer_id: {} }))).to.throw('profile.updated carry no purposes');
    requireGates(types({ customer_id: {}, consent_purpose: {} }));
    requireGates(types({ customer_id: {}, purposes: {} }));
    requireGates([{ type: 'entry.created', data: { entry_id: {} } }]);
  });

  it('refuses a message of a gated type that names no purpose', () => {
    const data = { customer_id: 'c', purposes: [], updated_at: '' };
    expect(() => gatingMask({ type: 'profile.updated', data })).to.throw('names no purpose');
  });
});
