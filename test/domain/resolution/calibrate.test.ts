import { expect } from 'chai';
import fc from 'fast-check';
import { calibrate, calibratedConfidence } from '../../../src/domain/resolution/calibrate.js';

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
  it('is monotonic and never exceeds the confidence of the last point', () => {
    fc.assert(
      fc.property(curves, probability, probability, (curve, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(calibratedConfidence(curve, more)).to.be.at.least(calibratedConfidence(curve, less) - 1e-12);
        expect(calibratedConfidence(curve, more)).to.be.at.most((curve.at(-1)?.confidence ?? 1) + 1e-12);
      }),
    );
  });

  it('keeps posteriors unchanged up to the last point of an identity curve', () => {
    fc.assert(
      fc.property(curves, probability, (curve, posterior) => {
        const same = curve.map((point) => ({ ...point, confidence: point.posterior }));
        const last = same.at(-1)?.posterior ?? 1;
        expect(calibratedConfidence(same, posterior)).to.be.closeTo(Math.min(posterior, last), 1e-9);
      }),
    );
  });

  it('keeps the winner and probabilities that add up to 1', () => {
    fc.assert(
      fc.property(curves, distributions, (curve, states) => {
        const calibrated = calibrate(curve, states);
        const claimed = states.slice(0, -1);
        const winner = claimed.indexOf(Math.max(...claimed));
        expect(calibrated.reduce((sum, state) => sum + state, 0)).to.be.closeTo(1, 1e-9);
        expect(calibrated[winner]).to.equal(Math.max(...calibrated.slice(0, -1)));
        for (const state of calibrated) expect(state).to.be.within(0, 1);
      }),
    );
  });

  it('scales the other probabilities in proportion when that of the winner changes', () => {
    const [winner = 0, other = 0, unclaimed = 0] = calibrate(
      [{ posterior: 0.6, confidence: 0.8 }],
      [0.6, 0.3, 0.1],
    );
    expect(winner).to.be.closeTo(0.8, 1e-12);
    expect(other).to.be.closeTo(0.15, 1e-12);
    expect(unclaimed).to.be.closeTo(0.05, 1e-12);
    const lost = calibrate([{ posterior: 0.6, confidence: 0.5 }], [0.6, 0.3, 0.1]);
    expect(lost[1]).to.be.closeTo(0.375, 1e-12);
  });

  it('does not break a tie', () => {
    expect(calibrate([{ posterior: 0.4, confidence: 0.9 }], [0.4, 0.4, 0.2])).to.deep.equal([0.4, 0.4, 0.2]);
  });

  it('changes nothing without points or without other values', () => {
    expect(calibrate([], [0.7, 0.2, 0.1])).to.deep.equal([0.7, 0.2, 0.1]);
    expect(calibrate([{ posterior: 0.9, confidence: 0.1 }], [0.9, 0.1])).to.deep.equal([0.9, 0.1]);
  });
});
