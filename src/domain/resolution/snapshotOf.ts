import { groupBy } from '../groupBy.js';
import { MIN_OFFSET, MAX_ATTRIBUTES, MAX_OFFSETS } from './constants.js';
import { claimReliability } from './claimLogOdds.js';
import type { LearnedCurve } from './LearnedCurve.js';
import { logistic } from './logOdds.js';
import type { Selection } from './selectModel.js';
import type { TruthEstimator } from './TruthEstimator.js';
import type { AccuracySnapshot, LearnedAttribute, SourceAccuracy, SuspectedCopy } from './types.js';

/** The results of learning. */
export interface Learned {
  version: number;
  estimator: TruthEstimator;
  selection: Selection;
  curve: LearnedCurve;
}

/** What has been learned, as plain JSON in an order that depends on names only. */
export function snapshotOf({ version, estimator, selection, curve }: Learned): AccuracySnapshot {
  const { data, sources } = estimator;
  return {
    format: 2,
    version,
    facts: data.starts.length - 1,
    claims: data.sourceOf.length,
    model: selection.model,
    evidence: selection.evidence,
    heldOut: selection.heldOut,
    unknownSource: {
      intercept: sources.meanIntercept,
      slope: sources.meanSlope,
      accuracy: logistic(sources.meanIntercept),
    },
    hardShare: estimator.hardShare,
    falseAgreement: 1 / (estimator.domains.overall - 1),
    calibration: curve.overall(),
    attributes: attributeRows(estimator, curve),
    sources: sourceRows(estimator),
    offsets: offsetRows(estimator),
    copies: suspectedCopies(estimator),
    feeds: feedRows(data.sources, estimator.start.dependence.feeds ?? new Int32Array(0)),
  };
}

/** The attributes with the most facts; the others use the overall values. */
function attributeRows(estimator: TruthEstimator, curve: LearnedCurve): LearnedAttribute[] {
  const { data } = estimator;
  const facts = new Int32Array(data.attributes.length);
  for (const attribute of data.attributeOf) facts[attribute] = (facts[attribute] ?? 0) + 1;
  return [...data.attributes.keys()]
    .toSorted((a, b) => (facts[b] ?? 0) - (facts[a] ?? 0) || a - b)
    .slice(0, MAX_ATTRIBUTES)
    .toSorted((a, b) => a - b)
    .map((index) => {
      const halfLife = data.learnedHalfLives[index];
      const calibration = curve.of(index);
      const numbers = data.learnedNumbers[index];
      const shares = estimator.errors.get(index)?.shares;
      return {
        attribute: data.attributes[index] ?? '',
        falseAgreement: 1 / (estimator.domainOf(index) - 1),
        ...(halfLife === undefined ? {} : { halfLifeDays: halfLife === Infinity ? null : halfLife }),
        ...(numbers === undefined ? {} : { numbers }),
        ...(shares === undefined ? {} : { errors: { step: data.steps[index] ?? 1, shares } }),
        ...(calibration === undefined ? {} : { calibration }),
      };
    });
}

function sourceRows(estimator: TruthEstimator): SourceAccuracy[] {
  const { data, sources } = estimator;
  const claims = new Int32Array(data.sources.length);
  const reliabilities = new Float64Array(data.sources.length);
  for (let fact = 0; fact + 1 < data.starts.length; fact += 1) {
    const { start, size, domain } = estimator.span(fact);
    for (let claim = start; claim < start + size; claim += 1) {
      const source = data.sourceOf[claim] ?? 0;
      const logOdds = sources.logOdds(source, data.statedOf[claim] ?? 0, estimator.cell(claim));
      claims[source] = (claims[source] ?? 0) + 1;
      reliabilities[source] =
        (reliabilities[source] ?? 0) + claimReliability(logOdds, estimator.hardShare, domain);
    }
  }
  return data.sources.map((source, index) => ({
    source,
    intercept: sources.intercept[index] ?? 0,
    slope: sources.slope[index] ?? 0,
    accuracy: (reliabilities[index] ?? 0) / Math.max(1, claims[index] ?? 0),
    claims: claims[index] ?? 0,
  }));
}

/** Offsets of at least `MIN_OFFSET`, the `MAX_OFFSETS` greatest. */
function offsetRows({ data, sources, cells }: TruthEstimator): AccuracySnapshot['offsets'] {
  const attributes = data.attributes.length;
  return [...cells]
    .map(([key, cell]) => {
      const offset = sources.offset[cell] ?? 0;
      return { source: Math.floor(key / attributes), attribute: key % attributes, offset };
    })
    .filter(({ offset }) => Math.abs(offset) >= MIN_OFFSET)
    .toSorted(
      (a, b) => Math.abs(b.offset) - Math.abs(a.offset) || a.source - b.source || a.attribute - b.attribute,
    )
    .slice(0, MAX_OFFSETS)
    .toSorted((a, b) => a.source - b.source || a.attribute - b.attribute)
    .map(({ source, attribute, offset }) => {
      return { source: data.sources[source] ?? '', attribute: data.attributes[attribute] ?? '', offset };
    });
}

/** In order of the names of sources, then of attributes; first of each pair what holds of all attributes. */
function suspectedCopies({ data: { sources, attributes }, start }: TruthEstimator): SuspectedCopy[] {
  return (start.dependence.suspicions ?? [])
    .toSorted((a, b) => a.first - b.first || a.second - b.second || (a.attribute ?? -1) - (b.attribute ?? -1))
    .map(({ first, second, attribute, probability, rate }) => ({
      first: sources[first] ?? '',
      second: sources[second] ?? '',
      ...(attribute === undefined ? {} : { attribute: attributes[attribute] ?? '' }),
      probability,
      rate,
    }));
}

function feedRows(sources: readonly string[], feeds: Int32Array): string[][] {
  return [...groupBy(feeds.entries(), ([, feed]) => feed).values()]
    .filter((members) => members.length > 1)
    .map((members) => members.map(([source]) => sources[source] ?? ''));
}
