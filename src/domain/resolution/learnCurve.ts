import type { CommonOrigin } from './commonOrigin.js';
import type { Dependence } from './Dependence.js';
import { DoubtCurve } from './DoubtCurve.js';
import { factsToHoldOut, HeldOut } from './HeldOut.js';
import { HeldOutPairs } from './HeldOutPairs.js';
import { PairCurve } from './PairCurve.js';
import type { TruthEstimator } from './TruthEstimator.js';

/**
 * Learns calibration from held-out claims: single claims of all facts, and pairs of claims of contested
 * facts. If single claims came from contested facts only, none could agree with others that all agree.
 */
export function* learnCurve(
  estimator: TruthEstimator,
  dependents: Dependence,
  origin: CommonOrigin,
): Generator<undefined, PairCurve, undefined> {
  const doubt = new DoubtCurve();
  const curve = new PairCurve(doubt, origin);
  const heldOut = new HeldOut(estimator, dependents);
  const heldOutPairs = new HeldOutPairs(estimator, dependents);
  const facts = estimator.data.starts.length - 1;
  for (const [index, fact] of factsToHoldOut(estimator.data, facts, 1).entries()) {
    for (const claim of heldOut.claims(fact)) doubt.add(claim);
    if (index % 100 === 99) yield undefined;
  }
  for (const [index, fact] of factsToHoldOut(estimator.data, facts, 2).entries()) {
    for (const pair of heldOutPairs.of(fact)) curve.add(pair);
    if (index % 100 === 99) yield undefined;
  }
  yield* curve.fit();
  return curve;
}
