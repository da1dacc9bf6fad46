import type { AccuracySnapshot, SourceAccuracy, SuspectedCopy } from './types.js';

/** Look-ups into a snapshot, made once per snapshot object. */
export interface AccuracyIndex {
  source(name: string): SourceAccuracy | undefined;
  copy(a: string, b: string): SuspectedCopy | undefined;
  /** Whether the source is suspected to depend on any other. */
  isSuspect(name: string): boolean;
  falseAgreement(attribute: string): number;
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

function build(snapshot: AccuracySnapshot): AccuracyIndex {
  const sources = new Map(snapshot.sources.map((source) => [source.source, source]));
  const copies = copiesBySource(snapshot.copies);
  const attributes = new Map(snapshot.attributes.map((row) => [row.attribute, row.falseAgreement]));
  return {
    source: (name) => sources.get(name),
    copy: (a, b) => copies.get(a)?.get(b),
    isSuspect: (name) => copies.has(name),
    falseAgreement: (attribute) => attributes.get(attribute) ?? snapshot.falseAgreement,
  };
}

export function accuracyIndex(snapshot: AccuracySnapshot): AccuracyIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const built = build(snapshot);
  indexes.set(snapshot, built);
  return built;
}
