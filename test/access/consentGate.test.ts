import { expect } from 'chai';
import {
  decidingGate,
  deliveryVerdict,
  isLive,
  passGate,
  shutBy,
  GateClosed,
  GateOpen,
} from '../../src/access/consentGate.js';
import type { DeliveryGateRow } from '../../src/access/consentGate.js';
import { allowedMask, maskOf, PLACE_OF } from '../../src/domain/purposes.js';

const EPOCHS = [1, 1, 1, 1, 1, 1, 1];
const ANALYTICS = PLACE_OF['analytics'];

function delivery(changes: Partial<DeliveryGateRow>): DeliveryGateRow {
  return {
    customer_id: 'cus_1',
    purpose_mask: maskOf(['analytics', 'support']),
    change_epochs: EPOCHS,
    granted_mask: maskOf(['analytics', 'support']),
    allowed_mask: allowedMask(null),
    epochs: EPOCHS,
    known: true,
    app_active: true,
    ...changes,
  };
}

describe('the consent gate', () => {
  it('names the reason for a closed purpose: the app first, then the receipts', () => {
    const [granted, allowed] = [maskOf(['analytics']), maskOf(['analytics'])];
    const head = (granted_mask: number, allowed_mask: number): Parameters<typeof shutBy>[0] => ({
      granted_mask,
      allowed_mask,
      epochs: EPOCHS,
    });
    expect(shutBy(head(granted, allowed), ANALYTICS)).to.equal(undefined);
    expect(shutBy(head(0, allowed), ANALYTICS)).to.equal('receipt');
    expect(shutBy(head(granted, 0), ANALYTICS)).to.equal('purpose');
    expect(shutBy(head(0, 0), ANALYTICS)).to.equal('purpose');
    expect(decidingGate({ ...head(granted, allowed), epochs: [1, 1, 2] }, ANALYTICS, false)).to.equal(
      'epoch',
    );
    expect(decidingGate({ ...head(granted, allowed), epochs: [1, 1, 2] }, ANALYTICS, true)).to.equal(null);
  });

  it('shows data of the open epoch and of no other', () => {
    const head = { granted_mask: maskOf(['analytics']), allowed_mask: allowedMask(null), epochs: [0, 0, 2] };
    expect(isLive(head, ANALYTICS, 2)).to.equal(true);
    for (const epoch of [0, 1, 3]) expect(isLive(head, ANALYTICS, epoch)).to.equal(false);
    expect(isLive({ ...head, granted_mask: 0 }, ANALYTICS, 2)).to.equal(false);
    expect(isLive({ ...head, allowed_mask: maskOf(['support']) }, ANALYTICS, 2)).to.equal(false);
    expect(isLive({ ...head, epochs: [] }, ANALYTICS, 2)).to.equal(false);
  });

  it('returns nothing of a closed purpose, even if rows of it were read', () => {
    const read = (): never => {
      throw new Error('The value of a shut gate was made.');
    };
    const shut = passGate('analytics', { open_mask: 0, allowed_mask: maskOf(['analytics']) }, read);
    expect(shut).to.be.instanceOf(GateClosed);
    expect(shut).to.include({ purpose: 'analytics', gate: 'receipt' });
    expect(passGate('analytics', { open_mask: 0, allowed_mask: 0 }, read)).to.include({ gate: 'purpose' });
    const open = passGate('analytics', { open_mask: 4, allowed_mask: 4 }, () => 'facts');
    expect(open).to.be.instanceOf(GateOpen);
    expect(open).to.include({ value: 'facts', openMask: 4 });
    expect(passGate(undefined, { open_mask: 0, allowed_mask: 0 }, () => [])).to.include({ openMask: 0 });
  });

  it('sends a delivery for the purposes that are open in the epoch of the change', () => {
    expect(deliveryVerdict(delivery({}))).to.deep.equal({ allowed: true, open: ['analytics', 'support'] });
    expect(deliveryVerdict(delivery({ epochs: [1, 1, 2, 1, 1, 1, 1] }))).to.deep.equal({
      allowed: true,
      open: ['support'],
    });
    expect(deliveryVerdict(delivery({ granted_mask: maskOf(['support']) }))).to.deep.equal({
      allowed: true,
      open: ['support'],
    });
  });

  it('sends a delivery that is about no customer', () => {
    const ofNobody = { customer_id: null, known: false, purpose_mask: 0, change_epochs: null };
    expect(deliveryVerdict(delivery({ ...ofNobody, granted_mask: null, epochs: null }))).to.deep.equal({
      allowed: true,
    });
  });

  it('drops a delivery whenever it is in doubt', () => {
    const reasons = [
      [{ granted_mask: 0 }, 'consent_withdrawn'],
      [{ allowed_mask: 0 }, 'consent_withdrawn'],
      [{ change_epochs: null }, 'consent_withdrawn'],
      [{ change_epochs: [] }, 'consent_withdrawn'],
      [{ change_epochs: [], epochs: [] }, 'consent_withdrawn'],
      [{ epochs: null, granted_mask: null }, 'consent_withdrawn'],
      [{ known: false }, 'customer_erased'],
      [{ app_active: false }, 'app_disabled'],
    ] as const;
    for (const [changes, reason] of reasons)
      expect(deliveryVerdict(delivery(changes as Partial<DeliveryGateRow>))).to.deep.equal({
        allowed: false,
        reason,
      });
    expect(deliveryVerdict(delivery({ purpose_mask: 0, granted_mask: 0 }))).to.deep.equal({ allowed: true });
  });
});
