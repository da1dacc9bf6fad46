import { StoredText } from '../documents/StoredText.js';

/**
 * How many resources a guarded field gave: one, the items of a list or of a page, a profile and its facts.
 */
export function resourcesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Error) return 0;
  if (value instanceof StoredText) return value.count;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + resourcesIn(item), 0);
  const { nodes, facts } = value as { nodes?: unknown; facts?: unknown };
  return nodes === undefined ? 1 + resourcesIn(facts) : resourcesIn(nodes);
}
