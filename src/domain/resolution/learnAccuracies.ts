import type { AttributeRegistry } from './attributeRule.js';
import { ClaimTable } from './ClaimTable.js';
import { learnSnapshot } from './learnSnapshot.js';
import type { AccuracySnapshot, ResolutionClaim } from './types.js';

/** The live claims of one customer and attribute. */
export interface ClaimedFact {
  /** Unique to customer and attribute. */
  key: string;
  claims: readonly ResolutionClaim[];
}

const FACTS_PER_STEP = 500;

/**
 * Learns the source accuracies of one app and purpose. The result depends only on the set of live claims, not
 * on their order, earlier snapshots or the time of day, so revoked claims leave no trace. Yields between
 * bounded pieces of work, for a caller with other work; the snapshot is the return value.
 */
export function* learnAccuracies(
  facts: Iterable<ClaimedFact>,
  registry: AttributeRegistry,
  version: number,
): Generator<undefined, AccuracySnapshot, undefined> {
  const table = new ClaimTable(registry);
  for (const fact of facts) table.addFact(fact.key, fact.claims);
  return yield* learnFromTable(table, version);
}

/** As `learnAccuracies`, from a table that the caller has filled in batches. */
export function learnFromTable(
  table: ClaimTable,
  version: number,
): Generator<undefined, AccuracySnapshot, undefined> {
  return learnSnapshot(table.read(), version, FACTS_PER_STEP);
}

/** Runs learning to its end at once. */
export function completed(learning: Generator<undefined, AccuracySnapshot, undefined>): AccuracySnapshot {
  for (;;) {
    const step = learning.next();
    if (step.done === true) return step.value;
  }
}
