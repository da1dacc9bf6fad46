import { expect } from 'chai';
import { recordProof } from '../../support/recordProof.js';
import { Attack } from './Attack.js';
import { Bystander } from './Bystander.js';
import { OverloadHarness } from './OverloadHarness.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';

const SLOW_SOCKETS = IN_PROOFS ? 1000 : 150;
const LARGE_BODIES = IN_PROOFS ? 50 : 6;
/** Of them some are read by the variant that keeps them whole. */
const KEPT_BODIES = IN_PROOFS ? 16 : 6;
/** Points a minute for reads; the flood asks for ten times as many. */
const READ_LIMIT = IN_PROOFS ? 6000 : 300;
const TURNS = IN_PROOFS ? 50 : 4;
const RATE_LIMITS = `read=${READ_LIMIT}`;

/**
 * More than the garbage of a busy process, less than the bodies that are sent at the same time. A long flood
 * makes more of it (docs/proofs.md).
 */
const MAX_GROWTH_MB = IN_PROOFS ? 400 : 192;

/** Waits for a connection and for its answer are bounded by 5 s and 10 s; a turn may take 5 s. */
const MAX_WAIT_MS = 30_000;

/** Proof: what one app does to the service, another hardly sees, and is told the truth where it does. */
describe('A service under overload', function () {
  this.timeout(IN_PROOFS ? 3_600_000 : 300_000);
  let harness: OverloadHarness;
  let attack: Attack;
  let bystander: Bystander;
  let living: Promise<void>;

  before(async () => {
    harness = await OverloadHarness.open();
  });
  after(() => harness.close());
  afterEach(async () => {
    attack.closeSlowSockets();
    bystander.stop();
    await living;
  });

  /** The service, the app that attacks it and the one that does not, at work. */
  async function begin(variant?: string): Promise<void> {
    await harness.start(RATE_LIMITS, variant);
    attack = new Attack(await harness.makeApp());
    bystander = new Bystander(await harness.makeApp());
    living = bystander.run();
    await bystander.makes(1);
  }

  /** By what was tried, so that a test that is run again counts once. */
  const findings = new Map<string, string>();

  itInProofs('answers another app, loses nothing it accepted and bounds its memory', async () => {
    await begin();
    // What a busy process takes once is no growth. Another app's budget pays for it.
    await new Attack(await harness.makeApp()).flood(READ_LIMIT);
    const before = harness.resetPeak();
    await attack.openSlowSockets(SLOW_SOCKETS);
    const flood = Promise.all([attack.flood(10 * READ_LIMIT), attack.sendLargeBodies(LARGE_BODIES)]);
    await bystander.makes(TURNS);
    await flood;
    const refusedUnderLoad = bystander.refused.get(429) ?? 0;
    const open = attack.openSockets;
    harness.killDatabase();
    await bystander.makes(TURNS);
    bystander.stop();
    await living;
    const growth = harness.peak() - before;
    await harness.start('off');
    const lost = await bystander.findLost(harness.url);
    const { problems, slowestMs, reads, revokes } = bystander;
    findings.set(
      'service',
      `${reads} reads and ${revokes} revokes of the other app, ${refusedUnderLoad} refused by limits, ` +
        `${bystander.refused.get(503) ?? 0} times 503, slowest ${Math.round(slowestMs)} ms; ${lost.length} lost; ` +
        `${growth} MB more memory`,
    );
    expect(
      { problems, lost, faults: attack.faults },
      [...problems, ...lost, ...attack.answers].join(),
    ).to.deep.equal({
      problems: [],
      lost: [],
      faults: 0,
    });
    expect(refusedUnderLoad, 'refused for what another did').to.equal(0);
    expect(attack.refusedForLimits).to.be.greaterThan(0);
    expect(attack.answers.get(413) ?? 0, [...attack.answers].join()).to.be.greaterThan(0);
    expect(open, 'sockets that were still slow').to.be.greaterThan(0);
    expect(slowestMs).to.be.lessThan(MAX_WAIT_MS);
    expect(growth).to.be.lessThan(MAX_GROWTH_MB);
  });

  itInProofs('exceeds the memory bound when it keeps bodies whole (control)', async () => {
    await begin('proofs/variants/wholeBodies.js');
    const before = harness.resetPeak();
    await attack.sendLargeBodies(KEPT_BODIES);
    const growth = harness.peak() - before;
    findings.set('bodies', `bodies kept whole: ${growth} MB`);
    expect(growth).to.be.greaterThan(MAX_GROWTH_MB);
  });

  itInProofs('refuses the other app when all apps share one budget (control)', async () => {
    await begin('proofs/variants/oneBudget.js');
    await attack.flood(3 * READ_LIMIT);
    while (!bystander.refused.has(429) && bystander.problems.length === 0)
      await new Promise((wake) => setTimeout(wake, 20));
    expect(bystander.problems).to.deep.equal([]);
    findings.set('budget', 'one budget for all: the other app is 429');
  });

  itInProofs('has seen both controls fail', async () => {
    const [figure = '', ...broken] = findings.values();
    recordProof({
      proof: 'overload/overload',
      injected: `${SLOW_SOCKETS} slow sockets, ${LARGE_BODIES} bodies of 100 MB, ten times the read limit of ${READ_LIMIT}, PostgreSQL killed`,
      times: SLOW_SOCKETS + LARGE_BODIES + 10 * READ_LIMIT + 1,
      checked:
        'another app is answered, or 429 or 503 with Retry-After; no other 5xx; nothing accepted lost; memory',
      figure,
      broken: broken.join('; '),
    });
    expect(broken).to.have.length(2);
  });
});
