import type { AttributeRule } from './types.js';

/**
 * Whether it is learned when numbers of the attribute agree: its rule says that they are numbers, and states
 * no tolerance.
 */
export function hasLearnedTolerance(rule: AttributeRule): boolean {
  return rule.type === 'number' && rule.tolerance === undefined && rule.relativeTolerance === undefined;
}
