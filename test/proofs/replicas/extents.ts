/** What a proof must have counted before it ends. */
export interface Extents {
  /** Profiles read by the service, singly and in batches. */
  reads: number;
  revokes: number;
  faultsOfEachKind: number;
}

const FULL: Extents = { reads: 1_000_000, revokes: 10_000, faultsOfEachKind: 50 };

/** A share of the full extents, at least one of each. */
export function extentsOf(percent: number): Extents {
  const part = (whole: number): number => Math.max(1, Math.ceil((whole * percent) / 100));
  return {
    reads: part(FULL.reads),
    revokes: part(FULL.revokes),
    faultsOfEachKind: part(FULL.faultsOfEachKind),
  };
}
