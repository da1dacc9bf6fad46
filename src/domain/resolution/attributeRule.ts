import type { AttributeRule } from './types.js';

/** Attribute names and their rules; `*` applies to attributes that are not named. */
export type AttributeRegistry = Readonly<Record<string, AttributeRule>>;

/** The rule of an attribute: its own, else that of `*`, else the defaults. */
export function attributeRule(registry: AttributeRegistry, attribute: string): AttributeRule {
  if (Object.hasOwn(registry, attribute)) return registry[attribute] ?? {};
  return registry['*'] ?? {};
}
