import type { AttributeRule } from './types.js';

/** Whether learning decides when numbers agree: the rule states the type number and no tolerance. */
export function hasLearnedTolerance(rule: AttributeRule): boolean {
  return rule.type === 'number' && rule.tolerance === undefined && rule.relativeTolerance === undefined;
}
