import { expect } from 'chai';
import fc from 'fast-check';
import { BorrowedCurve } from '../../../src/domain/resolution/BorrowedCurve.js';
import { calibratedConfidence } from '../../../src/domain/resolution/calibrate.js';

const POSTERIOR = 0.9;

function curveOf(facts: number, believed: (fact: number) => number, attributes = 1): BorrowedCurve {
  const curve = new BorrowedCurve();
  for (let fact = 0; fact < facts; fact += 1) curve.add(fact % attributes, POSTERIOR, believed(fact));
  return curve;
}

describe('BorrowedCurve', () => {
  it('gives winners the confidence of the other model, lower or higher', () => {
    expect(calibratedConfidence(curveOf(4000, () => 0.6).overall(), POSTERIOR)).to.be.closeTo(0.6, 0.01);
    expect(calibratedConfidence(curveOf(4000, () => 0.97).overall(), POSTERIOR)).to.be.closeTo(0.97, 0.01);
    expect(calibratedConfidence(curveOf(4000, (fact) => (fact % 2) / 2).overall(), POSTERIOR)).to.be.closeTo(
      0.25,
      0.01,
    );
  });

  it('changes confidence little with few facts and not at all with none', () => {
    expect(calibratedConfidence(curveOf(2, () => 0.4).overall(), POSTERIOR)).to.be.within(0.84, 0.87);
    expect(calibratedConfidence(curveOf(0, () => 0.4).overall(), POSTERIOR)).to.be.closeTo(POSTERIOR, 1e-9);
  });

  it('has a curve per attribute that is shrunk towards the overall curve', () => {
    const curve = curveOf(400, (fact) => (fact % 2 === 0 ? 0.8 : 0.5), 2);
    expect(calibratedConfidence(curve.of(0) ?? [], POSTERIOR)).to.be.within(0.75, 0.79);
    expect(calibratedConfidence(curve.of(1) ?? [], POSTERIOR)).to.be.within(0.51, 0.56);
    expect(curve.of(2)).to.equal(undefined);
  });

  it('is monotonic for any facts', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    const fact = fc.tuple(fc.integer({ min: 0, max: 2 }), probability, probability);
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 80 }), (facts) => {
        const curve = new BorrowedCurve();
        for (const [attribute, posterior, believed] of facts) curve.add(attribute, posterior, believed);
        for (const points of [curve.overall(), curve.of(0), curve.of(1), curve.of(2)]) {
          if (points === undefined) continue;
          for (const series of [
            points.map(({ posterior }) => posterior),
            points.map(({ confidence }) => confidence),
          ]) {
            expect(series).to.deep.equal(series.toSorted((a, b) => a - b));
            for (const value of series) expect(value).to.be.within(1e-9, 1 - 1e-9);
          }
        }
      }),
    );
  });
});
