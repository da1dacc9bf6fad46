import { expect } from 'chai';
import fc from 'fast-check';
import { calibrate, trusted } from '../../../src/domain/resolution/calibrate.js';

const probability = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

/** Points that rise in both directions. */
const curves = fc.array(fc.tuple(probability, probability), { minLength: 1, maxLength: 12 }).map((pairs) => {
  const posteriors = pairs.map(([posterior]) => posterior).toSorted((a, b) => a - b);
  const confidences = pairs.map(([, confidence]) => confidence).toSorted((a, b) => a - b);
  return posteriors.map((posterior, index) => ({ posterior, confidence: confidences[index] ?? 0 }));
});

const distributions = fc
  .array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength: 3, maxLength: 8 })
  .map((weights) => weights.map((weight) => weight / weights.reduce((sum, each) => sum + each, 0)));

describe('calibrate', () => {
  it('believes a posterior no more than itself, and a greater one no less', () => {
    fc.assert(
      fc.property(curves, probability, probability, (curve, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(trusted(curve, less)).to.be.at.most(less);
        expect(trusted(curve, more)).to.be.at.least(trusted(curve, less) - 1e-12);
      }),
    );
  });

  it('keeps the winner the winner and the probabilities a distribution', () => {
    fc.assert(
      fc.property(curves, distributions, (curve, states) => {
        const calibrated = calibrate(curve, states);
        const claimed = states.slice(0, -1);
        const winner = claimed.indexOf(Math.max(...claimed));
        expect(calibrated.reduce((sum, state) => sum + state, 0)).to.be.closeTo(1, 1e-9);
        expect(calibrated[winner]).to.equal(Math.max(...calibrated.slice(0, -1)));
        expect(calibrated[winner]).to.be.at.most(states[winner] ?? 0);
      }),
    );
  });

  it('leaves alone what nothing was learned of, and what nobody contests', () => {
    expect(calibrate([], [0.7, 0.2, 0.1])).to.deep.equal([0.7, 0.2, 0.1]);
    expect(calibrate([{ posterior: 0.9, confidence: 0.1 }], [0.9, 0.1])).to.deep.equal([0.9, 0.1]);
  });
});
