import { FEED_RATE } from './constants.js';
import type {
  AccuracySnapshot,
  CalibrationPoint,
  LearnedAttribute,
  SourceAccuracy,
  SuspectedCopy,
} from './types.js';

/** Look-ups into a snapshot, made once per snapshot object. */
export interface AccuracyIndex {
  source(name: string): SourceAccuracy | undefined;
  /** Log-odds of a source's claims in an attribute, relative to the source's mean. */
  offset(source: string, attribute: string): number;
  copy(a: string, b: string): { probability: number; rate: number } | undefined;
  /** Whether the source is suspected to depend on any other. */
  isSuspect(name: string): boolean;
  /** Number of plausible values of an attribute. */
  domain(attribute: string): number;
  attribute(name: string): LearnedAttribute | undefined;
  /** Unit to which a source rounds the numbers of an attribute; 0: none known. */
  unit(source: string, attribute: string): number;
  calibration(attribute: string): readonly CalibrationPoint[];
  hardShare: number;
}

const indexes = new WeakMap<AccuracySnapshot, AccuracyIndex>();

function copiesBySource(copies: readonly SuspectedCopy[]): Map<string, Map<string, SuspectedCopy>> {
  const bySource = new Map<string, Map<string, SuspectedCopy>>();
  const add = (from: string, to: string, copy: SuspectedCopy): void => {
    const known = bySource.get(from) ?? new Map<string, SuspectedCopy>();
    bySource.set(from, known.set(to, copy));
  };
  for (const copy of copies) {
    add(copy.first, copy.second, copy);
    add(copy.second, copy.first, copy);
  }
  return bySource;
}

function offsetsBySource(snapshot: AccuracySnapshot): Map<string, Map<string, number>> {
  const bySource = new Map<string, Map<string, number>>();
  for (const { source, attribute, offset } of snapshot.offsets) {
    const known = bySource.get(source) ?? new Map<string, number>();
    bySource.set(source, known.set(attribute, offset));
  }
  return bySource;
}

const ONE_FEED = { probability: 1, rate: FEED_RATE };

function build(snapshot: AccuracySnapshot): AccuracyIndex {
  const sources = new Map(snapshot.sources.map((source) => [source.source, source]));
  const offsets = offsetsBySource(snapshot);
  const copies = copiesBySource(snapshot.copies);
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
  const falseAgreement = (name: string): number =>
    attributes.get(name)?.falseAgreement ?? snapshot.falseAgreement;
  return {
    source: (name) => sources.get(name),
    offset: (source, attribute) => offsets.get(source)?.get(attribute) ?? 0,
    copy: (a, b) => {
      const feed = feeds.get(a);
      return feed !== undefined && feed === feeds.get(b) ? ONE_FEED : copies.get(a)?.get(b);
    },
    isSuspect: (name) => copies.has(name) || feeds.has(name),
    domain: (name) => 1 + 1 / falseAgreement(name),
    attribute: (name) => attributes.get(name),
    unit: (source, name) => units.get(name)?.get(source) ?? 0,
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
