import { initialAccuracies } from './initialAccuracies.js';
import type { AccuracySnapshot } from './types.js';

/**
 * Reads a stored snapshot. Fields that an older format lacks get initial values; its source accuracies stay
 * in use. Learning, which runs after changes of claims and daily, replaces such a snapshot.
 */
export function parseSnapshot(text: string): AccuracySnapshot {
  const stored = JSON.parse(text) as Partial<AccuracySnapshot>;
  const dependence = (stored.copies ?? []).length > 0 ? 'pairs' : 'independent';
  return {
    ...initialAccuracies(),
    model: { dependence, byAttribute: false, gain: 0 },
    ...stored,
    format: 2,
  };
}
