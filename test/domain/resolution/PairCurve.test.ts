import { expect } from 'chai';
import fc from 'fast-check';
import { binOf } from '../../../src/domain/resolution/calibrationBins.js';
import { DoubtCurve } from '../../../src/domain/resolution/DoubtCurve.js';
import type { HeldOutPair, Said } from '../../../src/domain/resolution/HeldOutPairs.js';
import { PairCurve } from '../../../src/domain/resolution/PairCurve.js';
import { calibratedConfidence } from '../../../src/domain/resolution/calibrate.js';
import { Random } from '../../../bench/resolution/Random.js';

const POSTERIOR = 0.9;

/** So many facts, the winner of each true this often, with sources that are right three times in four. */
function curveOf(
  facts: number,
  {
    winner = 0.7,
    rivalErrors = 0.3,
    origin = 0,
    origins = new Array<number>(),
    attribute = (): number => 0,
  } = {},
): PairCurve {
  const random = new Random(5);
  const doubt = new DoubtCurve();
  const curve = new PairCurve(doubt, {
    overall: origin,
    byAttribute: new Map(origins.entries()),
    refined: [],
  });
  for (let fact = 0; fact < facts; fact += 1) {
    const truth = random.next() < winner ? 0 : 1;
    const say = (): Said => {
      if (random.next() < 0.75) return truth;
      return random.next() >= rivalErrors ? 2 : truth === 0 ? 1 : 0;
    };
    const [first, second] = [say(), say()];
    const bin = binOf(POSTERIOR);
    const common = { attribute: attribute(), bin, winner: POSTERIOR, runnerUp: 0.08, weight: 1 };
    const pair: HeldOutPair = {
      ...common,
      first,
      second,
      isSame: first === second && first < 2,
      logOdds: [1.1, 1.1],
    };
    curve.add(pair);
    doubt.add({
      attribute: common.attribute,
      winningGroup: 0,
      winner: POSTERIOR,
      says: first === 0 ? 'winner' : first === 1 ? 'runnerUp' : 'other',
      expectedWinner: 0.68,
      expectedRunnerUp: 0.1,
      expectedMistake: 0.06,
      reliability: 0.75,
      score: 0,
    });
  }
  for (const fit = curve.fit(); fit.next().done !== true;) {
    // A service would attend to something else here.
  }
  return curve;
}

describe('PairCurve', () => {
  it('gives winners the confidence that many pairs of claims support', () => {
    expect(calibratedConfidence(curveOf(4000).overall(), POSTERIOR)).to.be.within(0.66, 0.74);
    expect(calibratedConfidence(curveOf(4000, { winner: 0.98 }).overall(), POSTERIOR)).to.be.greaterThan(
      POSTERIOR + 0.02,
    );
  });

  it('changes confidence little with few pairs', () => {
    expect(calibratedConfidence(curveOf(5).overall(), POSTERIOR)).to.be.within(0.85, 0.91);
    expect(calibratedConfidence(curveOf(0).overall(), POSTERIOR)).to.be.closeTo(POSTERIOR, 1e-9);
  });

  it('lowers confidence for a common origin only when sources make the same errors', () => {
    const doubtOf = (rivalErrors: number): number => {
      const [apart, together] = [0, 1].map((origin) =>
        calibratedConfidence(curveOf(4000, { rivalErrors, origin }).overall(), POSTERIOR),
      );
      return (apart ?? 0) - (together ?? 0);
    };
    expect(doubtOf(0.7)).to.be.within(0.02, 0.08);
    expect(doubtOf(0.02)).to.be.within(0, 0.002);
  });

  it('lowers confidence for a common origin only in the attributes that have one', () => {
    const trustedIn = (origins: number[]): number[] => {
      let at = 0;
      const curve = curveOf(4000, { rivalErrors: 0.7, origins, attribute: () => (at += 1) % 2 });
      return [0, 1].map((attribute) => calibratedConfidence(curve.of(attribute) ?? [], POSTERIOR));
    };
    const [apart, together] = [trustedIn([0, 0]), trustedIn([0, 1])];
    expect(together[0]).to.equal(apart[0]);
    expect((apart[1] ?? 0) - (together[1] ?? 0)).to.be.within(0.02, 0.08);
  });

  it('has a curve per attribute that has held-out claims', () => {
    let at = 0;
    const curve = curveOf(4000, { attribute: () => (at += 1) % 2 });
    expect(calibratedConfidence(curve.of(0) ?? [], POSTERIOR)).to.be.within(0.64, 0.76);
    expect(curve.of(0)).not.to.deep.equal(curve.of(1));
    expect(curve.of(2)).to.equal(undefined);
  });

  it('is monotonic for any pairs', () => {
    const said = fc.constantFrom<Said>(0, 1, 2);
    const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    const pair = fc.record({
      winner: probability,
      runnerUp: probability,
      first: said,
      second: said,
      isSame: fc.boolean(),
      logOdds: fc.tuple(
        fc.double({ min: -4, max: 4, noNaN: true }),
        fc.double({ min: -4, max: 4, noNaN: true }),
      ),
      weight: fc.constantFrom(1, 0.5, 0.125),
    });
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), fc.constantFrom(0, 0.5, 1), (pairs, origin) => {
        const curve = new PairCurve(new DoubtCurve(), {
          overall: origin,
          byAttribute: new Map(),
          refined: [],
        });
        for (const each of pairs) {
          const isSame = each.first === each.second && (each.first < 2 || each.isSame);
          curve.add({ ...each, isSame, attribute: 0, bin: binOf(each.winner) });
        }
        for (const fit = curve.fit(); fit.next().done !== true;) {
          // All at once.
        }
        const confidences = curve.overall().map(({ confidence }) => confidence);
        expect(confidences).to.deep.equal(confidences.toSorted((a, b) => a - b));
        for (const confidence of confidences) expect(confidence).to.be.within(1e-9, 1 - 1e-9);
      }),
    );
  });
});
