import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { recordProof } from '../support/recordProof.js';

const VERSIONS = process.env['PROOFS'] === 'long' ? ['20', '22', '24', '26'] : [];

/**
 * The tests of `bin/testOnNode.mjs` on every Node that is supported; needs the npm registry, so only in the
 * long form.
 */
describe('the service on every supported Node', function () {
  this.timeout(1_800_000);

  it('has its minimum as the oldest', () => {
    const [oldest] = /\d+/.exec(process.versions.node) ?? [];
    expect(Number(oldest)).to.be.at.least(20);
  });

  for (const version of VERSIONS)
    it(`passes on ${version}`, () => {
      const { status, stdout } = spawnSync(process.execPath, ['bin/launch.cjs', 'test-on-node', version], {
        encoding: 'utf8',
      });
      const [totals = ''] = /^\d+ passed, \d+ failed.*$/m.exec(stdout) ?? [];
      const [exact = version] = /^On Node (\S+):$/m.exec(stdout) ?? [];
      recordProof({
        proof: 'nodeVersions',
        injected: exact,
        times: 1,
        checked: 'doors, tokens, transactions, queues, subscriptions, native code',
        figure: totals,
        broken: '–',
      });
      expect(status, stdout.slice(-3000)).to.equal(0);
    });
});
