import { initialAccuracies } from './initialAccuracies.js';
import type { AccuracySnapshot } from './types.js';

/**
 * Reads a stored snapshot. One of an older format lacks what was not learned then: its sources count as
 * before, and learning, which every change of claims and every day brings, replaces it.
 */
export function parseSnapshot(text: string): AccuracySnapshot {
  const stored = JSON.parse(text) as Partial<AccuracySnapshot>;
  const sources = (stored.sources ?? []).map((source) => ({
    ...source,
    curvature: source.curvature ?? source.claims,
  }));
  const dependence = (stored.copies ?? []).length > 0 ? 'pairs' : 'independent';
  return {
    ...initialAccuracies(),
    model: { dependence, byAttribute: false, gain: 0 },
    ...stored,
    format: 2,
    sources,
  };
}
