import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimDeliveries } from '../../src/jobs/webhooks/claimDeliveries.js';
import type { ClaimedDelivery } from '../../src/jobs/webhooks/claimDeliveries.js';
import { recordOutcome } from '../../src/jobs/webhooks/recordOutcome.js';
import { sendThroughGate } from '../../src/jobs/webhooks/sendThroughGate.js';
import { WebhookBed } from '../support/WebhookBed.js';

const ROUNDS = 20;
const AT_ONCE = 8;

interface Races {
  sent: number;
  dropped: number;
  /** Requests that were still being written when the revocation of their purpose had been answered. */
  overtaken: number;
}

/** Proof: once a revocation has been answered, nothing about its purpose leaves, however the two race. */
describe('proof: no webhook leaves after the revocation was answered', function () {
  this.timeout(60_000);
  let bed: WebhookBed;

  before(async () => (bed = await WebhookBed.open()));
  beforeEach(() => bed.clear());
  after(() => bed.close());

  async function raceAll(throughGate: (claim: ClaimedDelivery) => ClaimedDelivery): Promise<Races> {
    bed.now = new Date();
    const { endpoint } = await bed.register('https://receiver.example/');
    const races: Races = { sent: 0, dropped: 0, overtaken: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const customers = await Promise.all(Array.from({ length: AT_ONCE }, () => bed.addCustomer(0b1111111)));
      for (const id of customers) {
        await bed.announce({
          type: 'profile.updated',
          data: { customer_id: id, purposes: ['analytics'], updated_at: '' },
        });
      }
      await bed.worker.dispatchRound();
      const claims = await claimDeliveries(bed.database, bed.appId, endpoint.id, bed.now);
      await Promise.all(claims.map((claim) => race(throughGate(claim), claim.customerId ?? '', races)));
      for (const claim of claims) await finish(claim);
    }
    return races;
  }

  /** One delivery and the revocation of what it is about, each starting when chance has it. */
  async function race(claim: ClaimedDelivery, customerId: string, races: Races): Promise<void> {
    let writtenAt = 0;
    let answeredAt = Infinity;
    const delivery = async (): Promise<void> => {
      await sleep(Math.random() * 6);
      const gate = { database: bed.database, secrets: bed.secrets, clock: () => bed.now };
      const { kind } = await sendThroughGate(gate, claim, async () => {
        await sleep(Math.random() * 4);
        writtenAt = performance.now();
      });
      if (kind === 'sent') races.sent += 1;
      if (kind === 'dropped') races.dropped += 1;
    };
    const revocation = async (): Promise<void> => {
      await sleep(Math.random() * 8);
      await bed.setMask(customerId, 0);
      answeredAt = performance.now();
    };
    await Promise.all([delivery(), revocation()]);
    if (writtenAt > answeredAt) races.overtaken += 1;
  }

  async function finish(claim: ClaimedDelivery): Promise<void> {
    const outcome = { kind: 'made', startedAt: bed.now, durationMs: 1, statusCode: 200 } as const;
    await recordOutcome(bed.database, claim, outcome, { now: bed.now, random: 0.5 });
  }

  it(`over ${ROUNDS * AT_ONCE} races`, async () => {
    const races = await raceAll((claim) => claim);
    console.log(`      ${races.sent} sent before, ${races.dropped} dropped after the revocation`);
    expect(races.overtaken).to.equal(0);
    expect(races.sent + races.dropped).to.equal(ROUNDS * AT_ONCE);
    expect(Math.min(races.sent, races.dropped)).to.be.greaterThan(0);
  });

  it('is a proof that can fail: a gate that does not lock the customer is overtaken', async () => {
    const { overtaken } = await raceAll((claim) => ({ ...claim, customerId: null }));
    expect(overtaken).to.be.greaterThan(0);
  });
});
