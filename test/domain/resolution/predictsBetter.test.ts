import { expect } from 'chai';
import fc from 'fast-check';
import { predictsBetter } from '../../../src/domain/resolution/predictsBetter.js';
import type { Predictions } from '../../../src/domain/resolution/predictsBetter.js';

const CLAIMS = 1000;

/** A model that gains so much on each claim and finds so many other winners, and a simpler one. */
function compared(gain: number, changes: number): [Predictions, Predictions] {
  const noise = (claim: number): number => (claim % 2 === 0 ? 0.01 : -0.01);
  const simple = {
    scores: new Float64Array(CLAIMS).fill(-1),
    winners: new Int32Array(CLAIMS),
    attributes: Int32Array.from({ length: CLAIMS }, (_, claim) => claim % 3),
  };
  const richer = {
    ...simple,
    scores: simple.scores.map((score, claim) => score + gain + noise(claim)),
    winners: simple.winners.map((_, claim) => Number(claim < changes)),
  };
  return [richer, simple];
}

describe('predictsBetter', () => {
  it('accepts a small significant gain when no winner changes', () => {
    expect(predictsBetter(...compared(0.01, 0))).to.equal(true);
  });

  it('refuses a gain that is not significant', () => {
    expect(predictsBetter(...compared(0.0005, 0))).to.equal(false);
  });

  it('refuses a small significant gain when many winners change', () => {
    expect(predictsBetter(...compared(0.01, 99))).to.equal(true);
    expect(predictsBetter(...compared(0.01, 101))).to.equal(false);
    expect(predictsBetter(...compared(0.09, CLAIMS))).to.equal(false);
  });

  it('requires a greater gain the more winners change', () => {
    const gain = fc.double({ min: -0.1, max: 0.1, noNaN: true });
    const changes = fc.integer({ min: 0, max: CLAIMS - 1 });
    fc.assert(
      fc.property(gain, changes, changes, (gained, some, others) => {
        const [fewer, more] = [Math.min(some, others), Math.max(some, others)];
        if (!predictsBetter(...compared(gained, fewer))) {
          expect(predictsBetter(...compared(gained, more))).to.equal(false);
        }
      }),
    );
  });

  it('finds no model better than itself or without claims', () => {
    const [richer] = compared(0.05, 10);
    expect(predictsBetter(richer, richer)).to.equal(false);
    const none = { scores: new Float64Array(0), winners: new Int32Array(0), attributes: new Int32Array(0) };
    expect(predictsBetter(none, none)).to.equal(false);
  });
});
