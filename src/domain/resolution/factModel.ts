import { accuracyIndex } from './accuracyIndex.js';
import type { AccuracyIndex } from './accuracyIndex.js';
import { DEFAULT_HALF_LIFE_DAYS } from './constants.js';
import type { AccuracySnapshot, AttributeRule, HalfLifeOrigin } from './types.js';

/** Inputs for resolving the claims of one fact. */
export interface FactModel {
  snapshot: AccuracySnapshot;
  index: AccuracyIndex;
  rule: AttributeRule;
  /** `Infinity`: the value never changes. */
  halfLifeDays: number;
  halfLifeOrigin: HalfLifeOrigin;
  now: Date;
}

export function factModel(
  attribute: string,
  snapshot: AccuracySnapshot,
  rule: AttributeRule,
  now: Date,
): FactModel {
  const index = accuracyIndex(snapshot);
  const learned = index.attribute(attribute)?.halfLifeDays;
  const common = { snapshot, index, rule, now };
  if (rule.halfLifeDays !== undefined) {
    return { ...common, halfLifeDays: rule.halfLifeDays, halfLifeOrigin: 'configured' };
  }
  if (learned === undefined)
    return { ...common, halfLifeDays: DEFAULT_HALF_LIFE_DAYS, halfLifeOrigin: 'default' };
  return { ...common, halfLifeDays: learned ?? Infinity, halfLifeOrigin: 'learned' };
}
