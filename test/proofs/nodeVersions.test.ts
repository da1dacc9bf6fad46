import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { recordProof } from '../support/recordProof.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const { NODE_VERSIONS = '20,22,24,26' } = process.env;
const VERSIONS = IN_PROOFS ? NODE_VERSIONS.split(',') : [];

/**
 * The tests of `bin/testOnNode.mjs` on every Node that is supported; needs the npm registry, so only in the
 * long form.
 */
describe('The service on every supported Node', function () {
  this.timeout(1_800_000);

  it('is tested on Node 20 or later', () => {
    const [oldest] = /\d+/.exec(process.versions.node) ?? [];
    expect(Number(oldest)).to.be.at.least(20);
  });

  const seen: string[] = [];
  after(() => {
    if (seen.length === 0) return;
    recordProof({
      proof: 'nodeVersions',
      injected: `Node ${VERSIONS.join(', ')}`,
      times: seen.length,
      checked: 'doors, tokens, transactions, queues, subscriptions, native code',
      figure: seen.join('; '),
      broken: 'Node 26 before `shouldUpgradeCallback`: a refused upgrade hung',
    });
  });

  for (const version of VERSIONS)
    it(`passes on ${version}`, () => {
      const { status, stdout } = spawnSync(process.execPath, ['bin/launch.cjs', 'test-on-node', version], {
        encoding: 'utf8',
      });
      const [totals = ''] = /^\d+ passed, \d+ failed.*$/m.exec(stdout) ?? [];
      const [, exact = version] = /^On Node v?(\S+):$/m.exec(stdout) ?? [];
      seen.push(`${exact}: ${totals}`);
      expect(status, stdout.slice(-3000)).to.equal(0);
    });
});
