import { expect } from 'chai';
import { runKills } from './WebhookKills.js';
import { recordProof } from '../support/recordProof.js';
import { itInProofs } from '../support/itInProofs.js';

/** `WEBHOOK_KILLS=50` is the long run, see docs/webhooks.md. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 6);

/**
 * Proof: whatever is killed when, every committed change arrives at least once under one webhook-id, and
 * nothing of a change that rolled back ever does.
 */
describe('Webhooks while workers and writers are killed', function () {
  this.timeout(240_000 + KILLS * 4000);
  let figure = '';
  let lost = 0;

  it(`arrive for every committed change and for no other in ${KILLS} kills under load`, async () => {
    const report = await runKills({ kills: KILLS, worker: 'worker', writer: 'writer' });
    console.log(
      `      ${report.committed} committed, ${report.received} requests, ${report.repeats} repeats`,
    );
    expect(report.violations).to.deep.equal([]);
    figure = `${report.committed} committed, all arrived, ${report.repeats} repeats`;
    expect(report.committed).to.be.greaterThan(50);
  });

  itInProofs('are lost when a worker records them before it sends them (control)', async () => {
    const { violations } = await runKills({
      kills: 12,
      workersOnly: true,
      worker: 'worker-recording-before-sending',
      writer: 'writer',
    });
    lost = violations.filter((violation) => violation.startsWith('lost')).length;
    expect(lost).to.be.greaterThan(0);
  });

  itInProofs('arrive for rolled back changes when written in another transaction (control)', async () => {
    const { violations } = await runKills({ kills: 0, worker: 'worker', writer: 'writer-announcing-apart' });
    const phantoms = violations.filter((violation) => violation.startsWith('phantom')).length;
    expect(phantoms).to.be.greaterThan(0);
    recordProof({
      proof: 'webhookKills',
      injected: 'kill -9 of workers and writers under load',
      times: KILLS,
      checked: 'what committed arrives at least once under one id; nothing that rolled back does',
      figure,
      broken: `recorded before it is sent: ${lost} lost; written apart from its change: ${phantoms} of what rolled back`,
    });
  });
});
