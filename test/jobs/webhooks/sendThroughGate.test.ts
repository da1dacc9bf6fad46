import { expect } from 'chai';
import { updateWebhookEndpoint } from '../../../src/commands/updateWebhookEndpoint.js';
import type { UpdateWebhookEndpointInput } from '../../../schema/inputs/WebhookInput.js';
import type { Database } from '../../../src/database/Database.js';
import { claimDeliveries } from '../../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../../src/jobs/webhooks/claimDeliveries.js';
import { sendThroughGate } from '../../../src/jobs/webhooks/sendThroughGate.js';
import { OutcomeRecorder } from '../../../src/jobs/webhooks/OutcomeRecorder.js';
import { pausedClock } from '../../support/pausedClock.js';
import { WebhookHarness } from '../../support/WebhookHarness.js';
import { LOCAL_NETWORK } from '../../support/webhookFixtures.js';

/**
 * What a worker may do with a delivery that changed hands, or whose endpoint changed, while it was
 * connecting.
 */
describe('sendThroughGate', () => {
  let harness: WebhookHarness;
  let endpointId: string;
  let claim: ClaimedDelivery;

  before(async () => (harness = await WebhookHarness.open()));
  beforeEach(async () => {
    await harness.clear();
    harness.now = new Date();
    endpointId = (await harness.register('https://receiver.example/')).endpoint.id;
    await harness.announceEntry();
    await harness.worker.dispatchRound();
    claim = await onlyClaim();
  });
  after(() => harness.close());

  async function onlyClaim(): Promise<ClaimedDelivery> {
    const [first] = await claimDeliveries(harness.database, harness.appId, [endpointId], harness.now);
    if (first === undefined) throw new Error('Nothing could be claimed.');
    return first;
  }

  async function kind(of = claim): Promise<string> {
    return (
      await sendThroughGate(
        { database: harness.database, secrets: harness.secrets, clock: () => harness.now },
        of,
        async () => undefined,
      )
    ).kind;
  }

  async function change(input: UpdateWebhookEndpointInput): Promise<void> {
    const context = { appId: harness.appId, now: harness.now };
    await harness.database.transaction(harness.appId, (tx) =>
      updateWebhookEndpoint(tx, context, endpointId, input, { policy: LOCAL_NETWORK.policy }),
    );
  }

  it('sends for the holder of the lease only', async () => {
    expect(await kind()).to.equal('sent');
    expect(await claimDeliveries(harness.database, harness.appId, [endpointId], harness.now)).to.deep.equal(
      [],
    );
    harness.advance(30);
    const next = await onlyClaim();
    expect([await kind(), await kind(next)]).to.deep.equal(['released', 'sent']);
  });

  it('does not send to the previous URL', async () => {
    await change({ url: 'https://other.example/' });
    expect(await kind()).to.equal('released');
    await new OutcomeRecorder(harness.database).record(
      claim,
      { kind: 'released' },
      { now: harness.now, random: 0.5 },
    );
    expect(await onlyClaim()).to.include({ url: 'https://other.example/', sequence: 1 });
  });

  it('does not send to an endpoint that was disabled', async () => {
    await change({ status: 'disabled' });
    expect(await kind()).to.equal('released');
  });

  it('delays a revocation until the request is sent and sends nothing after it', async () => {
    const customerId = await claimOfCustomer();
    const order: string[] = [];
    const gate = { database: harness.database, secrets: harness.secrets, clock: () => harness.now };
    let revoked = Promise.resolve();
    const decision = await sendThroughGate(gate, claim, async () => {
      revoked = harness.setMask(customerId, 0).then(() => void order.push('revoked'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      order.push('sent');
    });
    await revoked;
    expect([decision.kind, ...order]).to.deep.equal(['sent', 'sent', 'revoked']);
    expect(await kind()).to.equal('dropped');
  });

  it('sends nothing after a pause in which PostgreSQL may have ended the lock of the customer', async () => {
    await claimOfCustomer();
    const { database } = harness;
    let resume = (): void => undefined;
    // The worker is frozen between the question and the answer, which waits for it.
    const transaction: Database['transaction'] = (appId, work, options) =>
      database.transaction(
        appId,
        (tx) => {
          const query = tx.query.bind(tx);
          tx.query = async (...asked: Parameters<typeof tx.query>): Promise<never[]> => {
            const rows = await query(...asked);
            resume();
            resume = pausedClock(60_000);
            return rows as never[];
          };
          return work(tx);
        },
        options,
      );
    const gate = {
      database: { transaction } as Database,
      secrets: harness.secrets,
      clock: () => harness.now,
    };
    const sent: string[] = [];
    try {
      const decision = await sendThroughGate(gate, claim, async ({ body }) => void sent.push(body));
      expect([decision.kind, ...sent]).to.deep.equal(['released']);
    } finally {
      resume();
    }
    expect(await kind()).to.equal('sent');
  });

  async function claimOfCustomer(): Promise<string> {
    const customerId = await harness.addCustomer(0b1111111);
    await harness.announce({
      type: 'profile.updated',
      data: { customer_id: customerId, purposes: ['analytics'], updated_at: '' },
    });
    await harness.worker.dispatchRound();
    claim = await onlyClaim();
    return customerId;
  }

  it('releases the delivery when the customer is locked for too long', async () => {
    const customerId = await claimOfCustomer();
    await harness.database.transaction(harness.appId, async (tx) => {
      await tx.query(
        'SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE',
        [harness.appId, customerId],
      );
      expect(await kind()).to.equal('released');
    });
  });

  it('ignores an outcome reported after the lease has passed to another', async () => {
    harness.advance(30);
    await onlyClaim();
    const late = { kind: 'made', startedAt: harness.now, durationMs: 1, statusCode: 500 } as const;
    await new OutcomeRecorder(harness.database).record(claim, late, {
      now: harness.now,
      random: 0.5,
    });
    expect(await harness.delivery()).to.include({ status: 'pending', attempts: 0 });
  });
});
