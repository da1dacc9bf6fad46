import { expect } from 'chai';
import { RETRY_DELAYS_SECONDS } from '../../src/domain/webhooks/retrySchedule.js';
import { TestReceiver, status } from '../support/TestReceiver.js';
import { WebhookHarness } from '../support/WebhookHarness.js';
import { recordProof } from '../support/recordProof.js';

/** The published schedule, written out once more on purpose: seconds after the attempt before. */
const PUBLISHED = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/**
 * Proof: under a clock that jumps from one due time to the next, a failing receiver gets ten attempts, each
 * within ± 20 % of its published delay, and then no more.
 */
describe('The retries of a webhook', () => {
  let harness: WebhookHarness;
  let receiver: TestReceiver;

  before(async () => {
    harness = await WebhookHarness.open();
    receiver = await TestReceiver.start(status(500));
  });
  beforeEach(() => harness.clear());
  after(async () => {
    await receiver.stop();
    await harness.close();
  });

  /** The delays between the attempts of one delivery, in seconds. */
  async function delaysWith(random: () => number): Promise<number[]> {
    harness.now = new Date();
    const worker = harness.newWorker({ random });
    await harness.register(receiver.url());
    await harness.announceEntry();
    const delays: number[] = [];
    await harness.work(worker);
    for (let next = await nextAt(); next !== null; next = await nextAt()) {
      delays.push((next.getTime() - harness.now.getTime()) / 1000);
      harness.now = next;
      await harness.work(worker);
    }
    return delays;
  }

  async function nextAt(): Promise<Date | null> {
    const { next_attempt_at: at } = await harness.delivery();
    return at === null ? null : new Date(at);
  }

  function outside(delays: readonly number[]): number {
    const wrong = delays.filter(
      (delay, index) => Math.abs(delay / (PUBLISHED[index] ?? Number.NaN) - 1) > 0.2001,
    );
    return wrong.length + Math.abs(delays.length - PUBLISHED.length);
  }

  it('keep the published schedule with random, least and greatest jitter', async () => {
    expect(RETRY_DELAYS_SECONDS).to.deep.equal(PUBLISHED);
    for (const random of [Math.random, () => 0, () => 1 - Number.EPSILON]) {
      await harness.clear();
      const delays = await delaysWith(random);
      expect(outside(delays), String(delays)).to.equal(0);
    }
    expect((await harness.delivery()).attempts).to.equal(10);
  });

  it('miss the schedule with a wider jitter (control)', async () => {
    const seen = outside(await delaysWith(() => 1.5));
    expect(seen).to.be.greaterThan(0);
    recordProof({
      proof: 'webhookSchedule',
      injected: 'a receiver that always fails, under a clock that jumps from one due time to the next',
      times: 3,
      checked: 'ten attempts, each within ± 20 % of its published delay, and no more',
      figure: '0 outside',
      broken: `a wider jitter: ${seen} outside`,
    });
  });
});
