import { groupBy } from '../groupBy.js';
import { FEED_RATE } from './constants.js';
import { NearErrors } from './NearErrors.js';
import type { AccuracySnapshot, CalibrationPoint, LearnedAttribute, SourceAccuracy } from './types.js';

/** Look-ups into a snapshot, made once per snapshot object. */
export interface AccuracyIndex {
  source(name: string): SourceAccuracy | undefined;
  /** Log-odds of a source's claims in an attribute, relative to the source's mean. */
  offset(source: string, attribute: string): number;
  copy(a: string, b: string, attribute: string): { probability: number; rate: number } | undefined;
  /** Whether the source is suspected to depend on any other. */
  isSuspect(name: string): boolean;
  /** Number of plausible values of an attribute. */
  domain(attribute: string): number;
  attribute(name: string): LearnedAttribute | undefined;
  /** Unit to which a source rounds the numbers of an attribute; 0: none known. */
  unit(source: string, attribute: string): number;
  /** Undefined if a wrong claim is of any other value alike. */
  errors(attribute: string): { step: number; errors: NearErrors } | undefined;
  calibration(attribute: string): readonly CalibrationPoint[];
  hardShare: number;
}

const indexes = new WeakMap<AccuracySnapshot, AccuracyIndex>();

/** Looks rows up by two of their names. */
function byTwoNames<T>(rows: readonly T[], namesOf: (row: T) => [string, string]) {
  const byName = new Map<string, Map<string, T>>();
  for (const row of rows) {
    const [one, other] = namesOf(row);
    const others = byName.get(one) ?? new Map<string, T>();
    byName.set(one, others.set(other, row));
  }
  return (one: string, other: string): T | undefined => byName.get(one)?.get(other);
}

const ONE_FEED = { probability: 1, rate: FEED_RATE };

function build(snapshot: AccuracySnapshot): AccuracyIndex {
  const sources = new Map(snapshot.sources.map((source) => [source.source, source]));
  const offsets = byTwoNames(snapshot.offsets, ({ source, attribute }) => [source, attribute]);
  const suspects = new Set(snapshot.copies.flatMap(({ first, second }) => [first, second]));
  const copies = new Map(
    [...groupBy(snapshot.copies, ({ attribute }) => attribute)].map(([attribute, rows]) => [
      attribute,
      byTwoNames(rows, ({ first, second }) => [first, second]),
    ]),
  );
  const feeds = new Map(
    snapshot.feeds.flatMap((feed, index) => feed.map((source) => [source, index] as const)),
  );
  const attributes = new Map(snapshot.attributes.map((row) => [row.attribute, row]));
  const units = new Map(
    snapshot.attributes.map(({ attribute, numbers }) => [
      attribute,
      new Map(numbers?.units.map(({ source, unit }) => [source, unit])),
    ]),
  );
  const errors = new Map(
    snapshot.attributes.flatMap(({ attribute, errors: learned }) =>
      learned === undefined
        ? []
        : [[attribute, { step: learned.step, errors: new NearErrors(learned.shares) }] as const],
    ),
  );
  const falseAgreement = (name: string): number =>
    attributes.get(name)?.falseAgreement ?? snapshot.falseAgreement;
  return {
    source: (name) => sources.get(name),
    offset: (source, attribute) => offsets(source, attribute)?.offset ?? 0,
    copy: (a, b, attribute) => {
      const feed = feeds.get(a);
      if (feed !== undefined && feed === feeds.get(b)) return ONE_FEED;
      const [first, second] = a < b ? [a, b] : [b, a];
      return copies.get(attribute)?.(first, second) ?? copies.get(undefined)?.(first, second);
    },
    isSuspect: (name) => suspects.has(name) || feeds.has(name),
    domain: (name) => 1 + 1 / falseAgreement(name),
    attribute: (name) => attributes.get(name),
    unit: (source, name) => units.get(name)?.get(source) ?? 0,
    errors: (name) => errors.get(name),
    calibration: (name) => attributes.get(name)?.calibration ?? snapshot.calibration,
    hardShare: snapshot.hardShare,
  };
}

export function accuracyIndex(snapshot: AccuracySnapshot): AccuracyIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const built = build(snapshot);
  indexes.set(snapshot, built);
  return built;
}
