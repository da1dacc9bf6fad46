import { expect } from 'chai';
import fc from 'fast-check';
import { fitPairs } from '../../../src/domain/resolution/fitPairs.js';
import type { PairFit } from '../../../src/domain/resolution/fitPairs.js';
import { OTHER, RUNNER_UP, WINNER } from '../../../src/domain/resolution/HeldOutPairs.js';
import type { HeldOutPair, Said } from '../../../src/domain/resolution/HeldOutPairs.js';
import { logit } from '../../../src/domain/resolution/logOdds.js';
import { Random } from '../../../bench/resolution/Random.js';

interface Facts {
  /** How often the winner is true, and the runner-up. */
  winner: number;
  runnerUp: number;
  /** How often a source is right, and believed to be. */
  right: number;
  believed?: number;
  /** How often a wrong claim is of the winner or the runner-up. */
  rivalErrors: number;
}

const POSTERIOR = 0.9;

function pairsOf({ winner, runnerUp, right, believed = right, rivalErrors }: Facts, seed = 3): HeldOutPair[] {
  const random = new Random(seed);
  return Array.from({ length: 4000 }, (): HeldOutPair => {
    const drawn = random.next();
    const truth = drawn < winner ? WINNER : drawn < winner + runnerUp ? RUNNER_UP : OTHER;
    /** A value: of the winner, of the runner-up, the true one or one of many others. */
    const say = (): { says: Said; value: number } => {
      if (random.next() < right) return { says: truth, value: -1 };
      if (random.next() >= rivalErrors) return { says: OTHER, value: random.below(1000) };
      if (truth !== OTHER) return { says: truth === WINNER ? RUNNER_UP : WINNER, value: -1 };
      return { says: random.next() < 0.5 ? WINNER : RUNNER_UP, value: -1 };
    };
    const [first, second] = [say(), say()];
    return {
      attribute: 0,
      bin: 5,
      winner: POSTERIOR,
      runnerUp: 0.08,
      first: first.says,
      second: second.says,
      isSame: first.says === second.says && first.value === second.value,
      logOdds: [logit(believed), logit(believed)],
      weight: 1,
    };
  });
}

function fitted(facts: Facts): PairFit {
  const fit = fitPairs(pairsOf(facts), [POSTERIOR, 0.08], 20);
  for (;;) {
    const { done, value } = fit.next();
    if (done === true) return value;
  }
}

describe('fitPairs', () => {
  it('finds the probability of the winner when wrong sources all claim one popular value', () => {
    const fit = fitted({ winner: 0.95, runnerUp: 0.04, right: 0.7, rivalErrors: 0.8 });
    expect(fit.winner).to.be.within(0.91, 0.99);
    expect(fit.rivalErrors).to.be.within(0.7, 0.9);
  });

  it('finds a lower probability of the winner when independent sources agree on the runner-up', () => {
    const fit = fitted({ winner: 0.6, runnerUp: 0.38, right: 0.8, rivalErrors: 0.2 });
    expect(fit.winner).to.be.within(0.55, 0.65);
    expect(fit.runnerUp).to.be.within(0.33, 0.43);
    expect(fit.rivalErrors).to.be.within(0.1, 0.3);
  });

  it('leaves probability for values other than the winner and the runner-up', () => {
    const fit = fitted({ winner: 0.5, runnerUp: 0.1, right: 0.7, rivalErrors: 0.1 });
    expect(fit.winner).to.be.within(0.45, 0.55);
    expect(fit.runnerUp).to.be.within(0.05, 0.15);
  });

  it('does not depend on the assumed reliability of sources', () => {
    const facts = { winner: 0.7, runnerUp: 0.2, right: 0.75, rivalErrors: 0.3 };
    for (const believed of [0.6, 0.75, 0.9]) {
      const fit = fitted({ ...facts, believed });
      expect(fit.winner).to.be.within(0.63, 0.77);
      expect(fit.reliability).to.be.within(0.7, 0.8);
    }
  });

  it('finds the probability of the winner for any sources', () => {
    const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(between(0.5, 0.95), between(0.65, 0.9), between(0.1, 0.8), (winner, right, rivalErrors) => {
        const fit = fitted({ winner, runnerUp: 0.8 * (1 - winner), right, rivalErrors });
        expect(fit.winner).to.be.closeTo(winner, 0.08);
      }),
      { numRuns: 25, seed: 16 },
    );
  });
});
