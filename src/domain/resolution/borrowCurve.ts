import { BorrowedCurve } from './BorrowedCurve.js';
import { calibrate } from './calibrate.js';
import { factsToHoldOut } from './HeldOut.js';
import type { LearnedCurve } from './LearnedCurve.js';
import type { TruthEstimator } from './TruthEstimator.js';
import type { CalibrationPoint } from './types.js';

/** Posteriors of a fact's values at its last observation; those of unclaimed ones are last. */
function posteriorsOf(estimator: TruthEstimator, fact: number): number[] {
  const span = estimator.span(fact);
  estimator.prepare(fact);
  estimator.smoother.smooth(span, estimator.logOdds, estimator.copied, estimator.hardShare);
  const states = Array.from({ length: span.near?.states ?? span.groups + 1 }, (_, state) => state);
  return states.map((state) => estimator.smoother.state(span.size - 1, state));
}

/** Learns the curve of one model from another's confidence in its winners; `curve` calibrates the other. */
export function* borrowCurve(
  estimator: TruthEstimator,
  cautious: TruthEstimator,
  curve: LearnedCurve,
): Generator<undefined, BorrowedCurve, undefined> {
  const { data } = estimator;
  const overall = curve.overall();
  const ofAttributes = data.attributes.map((_, attribute): CalibrationPoint[] => {
    return curve.of(attribute) ?? overall;
  });
  const borrowed = new BorrowedCurve();
  for (const [index, fact] of factsToHoldOut(data, data.starts.length - 1, 2).entries()) {
    const attribute = data.attributeOf[fact] ?? 0;
    const groups = data.groupsOf[fact] ?? 0;
    const claimed = posteriorsOf(estimator, fact).slice(0, groups);
    const posterior = Math.max(...claimed);
    const believed = calibrate(ofAttributes[attribute] ?? overall, posteriorsOf(cautious, fact), groups);
    borrowed.add(attribute, posterior, believed[claimed.indexOf(posterior)] ?? 0);
    if (index % 100 === 99) yield undefined;
  }
  return borrowed;
}
