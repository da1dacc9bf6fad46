import { expect } from 'chai';
import type { LearningData } from '../../../src/domain/resolution/ClaimTable.js';
import { commonOrigin } from '../../../src/domain/resolution/commonOrigin.js';
import type { CopyRates } from '../../../src/domain/resolution/copyRates.js';
import { PairTable } from '../../../src/domain/resolution/PairTable.js';

const SOURCES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

/** Every two sources have the same facts in common; of the pairs named, one copies with this rate. */
function originOf(copying: readonly string[], rate: number, rounding: readonly string[] = []): number {
  const pairs = new PairTable(Int32Array.from(SOURCES, () => 100));
  for (let a = 0; a < SOURCES.length; a += 1) {
    for (let b = a + 1; b < SOURCES.length; b += 1)
      for (let fact = 0; fact < 30; fact += 1) pairs.add(a, b, true);
  }
  const rates: CopyRates = {
    probabilities: new Float64Array(pairs.rows),
    rates: new Float64Array(pairs.rows),
    hasSuspects: true,
  };
  for (const [first = '', second = ''] of copying) {
    const row = pairs.rowOf(SOURCES.indexOf(first), SOURCES.indexOf(second));
    rates.probabilities[row] = 1;
    rates.rates[row] = rate;
  }
  const units = rounding.map((source) => ({ source, unit: 10 }));
  const data = { sources: SOURCES, learnedNumbers: [undefined, { tolerance: 0, units }] };
  return commonOrigin(data as unknown as LearningData, pairs, rates);
}

describe('commonOrigin', () => {
  it('is 0 without copying and grows with the amount of copying', () => {
    expect(originOf([], 0)).to.equal(0);
    const [one, two] = [originOf(['ab'], 0.6), originOf(['ab', 'cd'], 0.6)];
    expect(one).to.be.closeTo(0.6 / 66 / 0.05, 1e-9);
    expect(two).to.be.closeTo(2 * one, 1e-9);
  });

  it('is at most 1', () => {
    expect(originOf(['ab', 'ac', 'bc', 'de', 'df', 'ef'], 0.9)).to.equal(1);
  });

  it('ignores a pair of sources that both round', () => {
    expect(originOf(['ab', 'cd'], 0.6, ['a', 'b'])).to.be.closeTo(originOf(['cd'], 0.6), 1e-9);
    expect(originOf(['ab', 'cd'], 0.6, ['a', 'c'])).to.be.closeTo(originOf(['ab', 'cd'], 0.6), 1e-9);
  });
});
