import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../../src/commands/CommandContext.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { claimDeliveries } from '../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../src/jobs/webhooks/claimDeliveries.js';
import { DeliveryGate } from '../../src/jobs/webhooks/DeliveryGate.js';
import { OutcomeRecorder } from '../../src/jobs/webhooks/OutcomeRecorder.js';
import { deleteCustomer } from '../../src/commands/deleteCustomer.js';
import { createConsentReceipt } from '../support/createConsentReceipt.js';
import { revokeConsentReceipt } from '../../src/commands/revokeConsentReceipt.js';
import { recordProof } from '../support/recordProof.js';
import { WebhookHarness } from '../support/WebhookHarness.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const ROUNDS = IN_PROOFS ? 250 : 20;
const AT_ONCE = 8;

interface Subject {
  customerId: string;
  receiptId: string;
}

interface Race {
  gate: DeliveryGate;
  claim: ClaimedDelivery;
  receiptId: string;
}

interface Races {
  sent: number;
  dropped: number;
  /** Requests that were still being written when the revocation of their purpose had been answered. */
  overtaken: number;
}

/** Proof: once a revocation has been answered, nothing about its purpose leaves, however the two race. */
describe('Webhooks during a revocation', function () {
  this.timeout(600_000);
  let harness: WebhookHarness;
  let figures = '';

  before(async () => (harness = await WebhookHarness.open()));
  beforeEach(() => harness.clear());
  after(() => harness.close());

  /** A customer who granted by a receipt, as partners record it. */
  async function addGranted(): Promise<Subject> {
    const customerId = await harness.addCustomer(0);
    const receipt = await command((tx, context) =>
      createConsentReceipt(tx, context, {
        customerId,
        purposes: ['analytics', 'support'],
        termsVersion: '1',
        privacyPolicyVersion: '1',
      }),
    );
    return { customerId, receiptId: receipt.id };
  }

  function command<T>(work: (tx: Transaction, context: CommandContext) => Promise<T>): Promise<T> {
    const context = { appId: harness.appId, now: harness.now, clock: () => harness.now, rejected: new Map() };
    return harness.database.transaction(harness.appId, (tx) => work(tx, context), {
      byKeys: true,
      lockTimeout: '5s',
    });
  }

  async function raceAll(throughGate: (claim: ClaimedDelivery) => ClaimedDelivery): Promise<Races> {
    harness.now = new Date();
    const { endpoint } = await harness.register('https://receiver.example/', ['profile.updated']);
    const services = { database: harness.database, secrets: harness.secrets, clock: () => harness.now };
    const gate = new DeliveryGate(services);
    const races: Races = { sent: 0, dropped: 0, overtaken: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const subjects = await Promise.all(Array.from({ length: AT_ONCE }, addGranted));
      const receiptOf = new Map(subjects.map(({ customerId, receiptId }) => [customerId, receiptId]));
      for (const id of receiptOf.keys()) {
        await harness.announce({
          type: 'profile.updated',
          data: { customer_id: id, purposes: ['analytics'], updated_at: '' },
        });
      }
      await harness.worker.dispatchRound();
      const claims = await claimDeliveries(harness.database, harness.appId, [endpoint.id], harness.now);
      await Promise.all(
        claims.map((claim) => {
          const receiptId = receiptOf.get(claim.customerId ?? '') ?? '';
          return race({ gate, claim: throughGate(claim), receiptId }, races);
        }),
      );
      for (const claim of claims) await finish(claim);
    }
    return races;
  }

  /** One delivery and the revocation of what it is about, each starting when chance has it. */
  async function race({ gate, claim, receiptId }: Race, races: Races): Promise<void> {
    let writtenAt = 0;
    let answeredAt = Infinity;
    const delivery = async (): Promise<void> => {
      await sleep(Math.random() * 6);
      const { kind } = await gate.pass(claim, async () => {
        await sleep(Math.random() * 4);
        writtenAt = performance.now();
      });
      if (kind === 'sent') races.sent += 1;
      if (kind === 'dropped') races.dropped += 1;
    };
    const revocation = async (): Promise<void> => {
      await sleep(Math.random() * 8);
      await command((tx, context) =>
        revokeConsentReceipt(tx, context, receiptId, { purposes: ['analytics'] }),
      );
      answeredAt = performance.now();
    };
    await Promise.all([delivery(), revocation()]);
    if (writtenAt > answeredAt) races.overtaken += 1;
  }

  async function finish(claim: ClaimedDelivery): Promise<void> {
    const outcome = { kind: 'made', startedAt: harness.now, durationMs: 1, statusCode: 200 } as const;
    await new OutcomeRecorder(harness.database).record(claim, outcome, {
      now: harness.now,
      random: 0.5,
    });
  }

  it(`are never sent after the revocation was answered in ${ROUNDS * AT_ONCE} races`, async () => {
    const races = await raceAll((claim) => claim);
    console.log(`      ${races.sent} sent before, ${races.dropped} dropped after the revocation`);
    expect(races.overtaken).to.equal(0);
    expect(races.sent + races.dropped).to.equal(ROUNDS * AT_ONCE);
    expect(Math.min(races.sent, races.dropped)).to.be.greaterThan(0);
    figures = `${races.sent} sent before, ${races.dropped} dropped after, ${races.overtaken} overtaken`;
  });

  /**
   * Two messages about one customer at a gate. The first is being sent when the change of the customer's
   * consent begins to wait; the second comes after that, while the first still leaves.
   *
   * @returns what was sent and withdrawn, in order, then the outcome of the second message. This outcome and
   *   the answer of the change follow the same commit, so the order in which they arrive here says nothing
   */
  async function overtake(change: (subject: Subject) => Promise<unknown>): Promise<string[]> {
    await harness.clear();
    harness.now = new Date();
    const subject = await addGranted();
    const data = { customer_id: subject.customerId, purposes: ['analytics' as const], updated_at: '' };
    const { endpoint } = await harness.register('https://receiver.example/', ['profile.updated']);
    await harness.announce({ type: 'profile.updated', data }, { type: 'profile.updated', data });
    await harness.worker.dispatchRound();
    const claims = await claimDeliveries(harness.database, harness.appId, [endpoint.id], harness.now);
    const services = { database: harness.database, secrets: harness.secrets, clock: () => harness.now };
    const gate = new DeliveryGate(services);
    const order: string[] = [];
    const [first, second] = claims as [ClaimedDelivery, ClaimedDelivery];
    let finish = (): void => undefined;
    const leaving = new Promise<void>((resolve) => (finish = resolve));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const sent = gate.pass(first, async () => {
      begin();
      await leaving;
      order.push('first sent');
    });
    await begun;
    const changed = change(subject).then(() => order.push('withdrawn'));
    await untilWaiting(1);
    const later = gate.pass(second, async () => void order.push('second leaves'));
    await Promise.race([later, untilWaiting(2)]);
    finish();
    const [{ kind }] = await Promise.all([later, sent, changed]);
    return [...order, `second ${kind}`];
  }

  async function untilWaiting(count: number): Promise<void> {
    for (;;) {
      const rows = await harness.rows(
        `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE NOT l.granted AND a.datname = current_database()`,
        [],
      );
      if (rows.length >= count) return;
      await sleep(5);
    }
  }

  it('let a revocation that waits go first, and the next group after it', async () => {
    const order = await overtake(({ receiptId }) =>
      command((tx, context) => revokeConsentReceipt(tx, context, receiptId, { purposes: ['analytics'] })),
    );
    expect(order).to.deep.equal(['first sent', 'withdrawn', 'second dropped']);
  });

  it('let an erasure that waits go first', async () => {
    const order = await overtake(({ customerId }) =>
      command((tx, context) => deleteCustomer(tx, context, customerId)),
    );
    expect(order).to.deep.equal(['first sent', 'withdrawn', 'second released']);
  });

  it('pass a change that waits when it locks the row of the customer alone (control)', async () => {
    const order = await overtake(({ customerId }) => harness.setMask(customerId, 0));
    expect(order).to.deep.equal(['second leaves', 'first sent', 'withdrawn', 'second sent']);
  });

  it('are sent after it when the gate does not lock the customer (control)', async () => {
    const { overtaken } = await raceAll((claim) => ({ ...claim, customerId: null }));
    expect(overtaken).to.be.greaterThan(0);
    recordProof({
      proof: 'webhookConsent',
      injected: 'the command that revokes, racing a delivery about the same customer',
      times: ROUNDS * AT_ONCE,
      checked: 'nothing is written once the revocation was answered',
      figure: figures,
      broken: `a gate that does not lock the customer: ${overtaken} overtaken`,
    });
  });
});
