import { isJsonObject } from './jsonValue.js';
import type { JsonObject, JsonValue } from './jsonValue.js';

/** RFC 7386: null removes, objects merge, anything else replaces. Never changes its arguments. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return fromEntries(merged);
}

/** `__proto__` stays a plain member. */
function fromEntries(members: Map<string, JsonValue>): JsonObject {
  return Object.fromEntries(members);
}

/** The object without null members at any depth: in a profile, absent and null are equal. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNulls(item)]));
}
