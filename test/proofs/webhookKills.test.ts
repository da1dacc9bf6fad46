import { expect } from 'chai';
import { runKills } from './WebhookKills.js';

/** `WEBHOOK_KILLS=50` is the long run, see docs/webhooks.md. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 6);

/**
 * Proof: whatever is killed when, every committed change arrives at least once under one webhook-id, and
 * nothing of a change that rolled back ever does.
 */
describe('proof: webhooks survive kill -9', function () {
  this.timeout(60_000 + KILLS * 2000);

  it(`loses and invents nothing over ${KILLS} kills under load`, async () => {
    const report = await runKills({ kills: KILLS, worker: 'worker', writer: 'writer' });
    console.log(
      `      ${report.committed} committed, ${report.received} requests, ${report.repeats} repeats`,
    );
    expect(report.violations).to.deep.equal([]);
    expect(report.committed).to.be.greaterThan(50);
  });

  it('is a proof that can fail: a worker that records before it sends loses messages', async () => {
    const { violations } = await runKills({
      kills: 12,
      workersOnly: true,
      worker: 'worker-recording-before-sending',
      writer: 'writer',
    });
    expect(violations.some((violation) => violation.startsWith('lost'))).to.equal(true);
  });

  it('is a proof that can fail: a message written apart from its change outlives a roll-back', async () => {
    const { violations } = await runKills({ kills: 0, worker: 'worker', writer: 'writer-announcing-apart' });
    expect(violations.some((violation) => violation.startsWith('phantom'))).to.equal(true);
  });
});
