import { expect } from 'chai';
import fc from 'fast-check';
import { backOff } from '../../src/domain/backOff.js';

describe('backOff', () => {
  it('begins with the first wait and doubles up to the bound', () => {
    expect([0, 1, 2, 3, 4, 5].map((earlier) => backOff(earlier, 100, 1000))).to.deep.equal([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  it('never shrinks and never passes the bound, after any number of failures', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 1000 }), (earlier, first) => {
        const max = 30_000;
        expect(backOff(earlier, first, max)).to.be.within(first, max);
        expect(backOff(earlier + 1, first, max)).to.be.at.least(backOff(earlier, first, max));
      }),
    );
  });
});
