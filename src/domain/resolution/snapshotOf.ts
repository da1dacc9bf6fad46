import { groupBy } from '../groupBy.js';
import { MIN_OFFSET, MAX_ATTRIBUTES, MAX_OFFSETS, TEMPER } from './constants.js';
import { claimReliability } from './claimLogOdds.js';
import type { CopyRates } from './copyRates.js';
import type { LearnedCurve } from './LearnedCurve.js';
import { logistic } from './logOdds.js';
import type { PairTable } from './PairTable.js';
import type { Selection } from './selectModel.js';
import type { TruthEstimator } from './TruthEstimator.js';
import type {
  AccuracySnapshot,
  DependenceModel,
  LearnedAttribute,
  SourceAccuracy,
  SuspectedCopy,
} from './types.js';

/** The results of learning. */
export interface Learned {
  version: number;
  estimator: TruthEstimator;
  selection: Selection;
  pairs: PairTable;
  rates: CopyRates;
  curve: LearnedCurve;
}

/** Factor of suspected pairwise copying, per model. */
const COUNTED: Readonly<Partial<Record<DependenceModel, number>>> = { tempered_pairs: TEMPER, pairs: 1 };

/** What has been learned, as plain JSON in an order that depends on names only. */
export function snapshotOf({
  version,
  estimator,
  selection,
  pairs,
  rates,
  curve,
}: Learned): AccuracySnapshot {
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
    copies: suspectedCopies(data.sources, pairs, rates, COUNTED[selection.model.dependence] ?? 0),
    feeds: feedRows(data.sources, estimator.start.dependence.feeds ?? new Int32Array(0)),
  };
}

/** The attributes with the most facts; the others use the overall values. */
function attributeRows({ data, domains }: TruthEstimator, curve: LearnedCurve): LearnedAttribute[] {
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
      return {
        attribute: data.attributes[index] ?? '',
        falseAgreement: 1 / (domains.of(index) - 1),
        ...(halfLife === undefined ? {} : { halfLifeDays: halfLife === Infinity ? null : halfLife }),
        ...(numbers === undefined ? {} : { numbers }),
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
function offsetRows({ data, sources, cellOf }: TruthEstimator): AccuracySnapshot['offsets'] {
  const rows = new Map<number, { source: number; attribute: number; offset: number }>();
  for (let fact = 0; sources.offset.length > 0 && fact + 1 < data.starts.length; fact += 1) {
    const attribute = data.attributeOf[fact] ?? 0;
    for (let claim = data.starts[fact] ?? 0; claim < (data.starts[fact + 1] ?? 0); claim += 1) {
      const cell = cellOf[claim] ?? 0;
      const offset = sources.offset[cell] ?? 0;
      if (Math.abs(offset) >= MIN_OFFSET)
        rows.set(cell, { source: data.sourceOf[claim] ?? 0, attribute, offset });
    }
  }
  return [...rows.values()]
    .toSorted(
      (a, b) => Math.abs(b.offset) - Math.abs(a.offset) || a.source - b.source || a.attribute - b.attribute,
    )
    .slice(0, MAX_OFFSETS)
    .toSorted((a, b) => a.source - b.source || a.attribute - b.attribute)
    .map(({ source, attribute, offset }) => {
      return { source: data.sources[source] ?? '', attribute: data.attributes[attribute] ?? '', offset };
    });
}

function suspectedCopies(
  sources: readonly string[],
  pairs: PairTable,
  { probabilities, rates }: CopyRates,
  counted: number,
): SuspectedCopy[] {
  if (counted === 0) return [];
  const rows = Array.from({ length: pairs.rows }, (_, row) => row).filter(
    (row) => (probabilities[row] ?? 0) > 0,
  );
  return rows
    .toSorted((a, b) => pairs.first(a) - pairs.first(b) || pairs.second(a) - pairs.second(b))
    .map((row) => ({
      first: sources[pairs.first(row)] ?? '',
      second: sources[pairs.second(row)] ?? '',
      probability: probabilities[row] ?? 0,
      rate: counted * (rates[row] ?? 0),
    }));
}

function feedRows(sources: readonly string[], feeds: Int32Array): string[][] {
  return [...groupBy(feeds.entries(), ([, feed]) => feed).values()]
    .filter((members) => members.length > 1)
    .map((members) => members.map(([source]) => sources[source] ?? ''));
}
