import { expect } from 'chai';
import { updateWebhookEndpoint } from '../../../src/commands/updateWebhookEndpoint.js';
import type { UpdateWebhookEndpointInput } from '../../../src/commands/updateWebhookEndpoint.js';
import { claimDeliveries } from '../../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../../src/jobs/webhooks/claimDeliveries.js';
import { sendThroughGate } from '../../../src/jobs/webhooks/sendThroughGate.js';
import { recordOutcome } from '../../../src/jobs/webhooks/recordOutcome.js';
import { WebhookBed } from '../../support/WebhookBed.js';
import { LOCAL_NETWORK } from '../../support/webhookFixtures.js';

/**
 * What a worker may do with a delivery that changed hands, or whose endpoint changed, while it was
 * connecting.
 */
describe('sendThroughGate', () => {
  let bed: WebhookBed;
  let endpointId: string;
  let claim: ClaimedDelivery;

  before(async () => (bed = await WebhookBed.open()));
  beforeEach(async () => {
    await bed.clear();
    bed.now = new Date();
    endpointId = (await bed.register('https://receiver.example/')).endpoint.id;
    await bed.announceEntry();
    await bed.worker.dispatchRound();
    claim = await onlyClaim();
  });
  after(() => bed.close());

  async function onlyClaim(): Promise<ClaimedDelivery> {
    const [first] = await claimDeliveries(bed.database, bed.appId, endpointId, bed.now);
    if (first === undefined) throw new Error('Nothing could be claimed.');
    return first;
  }

  async function kind(of = claim): Promise<string> {
    return (
      await sendThroughGate(
        { database: bed.database, secrets: bed.secrets, clock: () => bed.now },
        of,
        async () => undefined,
      )
    ).kind;
  }

  async function change(input: UpdateWebhookEndpointInput): Promise<void> {
    const context = { appId: bed.appId, now: bed.now };
    await bed.database.transaction(bed.appId, (tx) =>
      updateWebhookEndpoint(tx, context, endpointId, input, { policy: LOCAL_NETWORK.policy }),
    );
  }

  it('sends for the holder of the lease only', async () => {
    expect(await kind()).to.equal('sent');
    expect(await claimDeliveries(bed.database, bed.appId, endpointId, bed.now)).to.deep.equal([]);
    bed.advance(30);
    const next = await onlyClaim();
    expect([await kind(), await kind(next)]).to.deep.equal(['released', 'sent']);
  });

  it('does not send to the URL of before', async () => {
    await change({ url: 'https://other.example/' });
    expect(await kind()).to.equal('released');
    await recordOutcome(bed.database, claim, { kind: 'released' }, { now: bed.now, random: 0.5 });
    expect(await onlyClaim()).to.include({ url: 'https://other.example/', sequence: 1 });
  });

  it('does not send to an endpoint that was disabled', async () => {
    await change({ status: 'disabled' });
    expect(await kind()).to.equal('released');
  });

  it('lets a revocation wait until the request has left, and sends nothing once it has been answered', async () => {
    const customerId = await bed.addCustomer(0b1111111);
    await bed.announce({
      type: 'profile.updated',
      data: { customer_id: customerId, purposes: ['analytics'], updated_at: '' },
    });
    await bed.worker.dispatchRound();
    claim = await onlyClaim();
    const order: string[] = [];
    const gate = { database: bed.database, secrets: bed.secrets, clock: () => bed.now };
    let revoked = Promise.resolve();
    const decision = await sendThroughGate(gate, claim, async () => {
      revoked = bed.setMask(customerId, 0).then(() => void order.push('revoked'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      order.push('sent');
    });
    await revoked;
    expect([decision.kind, ...order]).to.deep.equal(['sent', 'sent', 'revoked']);
    expect(await kind()).to.equal('dropped');
  });

  it('gives the delivery back when the customer is held too long', async () => {
    const customerId = await bed.addCustomer(0b1111111);
    await bed.announce({
      type: 'profile.updated',
      data: { customer_id: customerId, purposes: ['analytics'], updated_at: '' },
    });
    await bed.worker.dispatchRound();
    claim = await onlyClaim();
    await bed.database.transaction(bed.appId, async (tx) => {
      await tx.query(
        'SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE',
        [bed.appId, customerId],
      );
      expect(await kind()).to.equal('released');
    });
  });

  it('hears only the holder of the lease: what an earlier one reports later changes nothing', async () => {
    bed.advance(30);
    await onlyClaim();
    const late = { kind: 'made', startedAt: bed.now, durationMs: 1, statusCode: 500 } as const;
    await recordOutcome(bed.database, claim, late, { now: bed.now, random: 0.5 });
    expect(await bed.delivery()).to.include({ status: 'pending', attempts: 0 });
  });
});
