import type { AttributeRule, JsonValue } from './types.js';

function isTextArray(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

/** Whether claims are united: by the attribute's method, else if all values are arrays of strings. */
export function isUnion(claims: readonly { value: JsonValue }[], rule: AttributeRule): boolean {
  if (rule.method !== undefined) return rule.method === 'union';
  return rule.type !== 'person_names' && claims.every(({ value }) => isTextArray(value));
}
