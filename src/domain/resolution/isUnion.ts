import type { JsonValue } from '../jsonValue.js';
import { isTextArray } from './canonicalValue.js';
import type { AttributeRule } from './types.js';

/** Whether claims are united: by the attribute's method, else if all values are arrays of strings. */
export function isUnion(claims: readonly { value: JsonValue }[], rule: AttributeRule): boolean {
  if (rule.method !== undefined) return rule.method === 'union';
  return rule.type !== 'person_names' && claims.every(({ value }) => isTextArray(value));
}
