import type { AttributeRegistry } from '../../src/domain/resolution/attributeRule.js';
import { ClaimTable } from '../../src/domain/resolution/ClaimTable.js';
import { learnSnapshot } from '../../src/domain/resolution/learnSnapshot.js';
import type { AccuracySnapshot, ResolutionClaim } from '../../src/domain/resolution/types.js';

/** The live claims of one customer and attribute. */
export interface ClaimedFact {
  /** Unique to customer and attribute. */
  key: string;
  claims: readonly ResolutionClaim[];
}

/** What the facts teach about their sources, learned at once. */
export function learnAccuracies(
  facts: Iterable<ClaimedFact>,
  registry: AttributeRegistry,
  version: number,
): AccuracySnapshot {
  const table = new ClaimTable(registry);
  for (const { key, claims } of facts) table.addFact(key, claims);
  const learning = learnSnapshot(table.read(), version);
  for (;;) {
    const step = learning.next();
    if (step.done === true) return step.value;
  }
}
