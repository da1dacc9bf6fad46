import type { AttributeRegistry } from './attributeRule.js';
import type { AttributeRule } from './types.js';
import { ATTRIBUTE_METHODS, ATTRIBUTE_TYPES } from './types.js';

const NAME = /^(?:\*|[a-z][a-z0-9_.]{0,127})$/u;

const TYPES: readonly unknown[] = ATTRIBUTE_TYPES;
const METHODS: readonly unknown[] = ATTRIBUTE_METHODS;

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

const MEMBERS: Readonly<Record<string, { isValid: (value: unknown) => boolean; needs: string }>> = {
  type: { isValid: (value) => TYPES.includes(value), needs: `one of ${TYPES.join(', ')}` },
  method: { isValid: (value) => METHODS.includes(value), needs: `one of ${METHODS.join(', ')}` },
  tolerance: { isValid: isAmount, needs: 'a number that is not negative' },
  relativeTolerance: { isValid: isAmount, needs: 'a number that is not negative' },
  halfLifeDays: {
    isValid: (value) => value === null || (isAmount(value) && value !== 0),
    needs: 'a number of days above 0, or null when the value never changes',
  },
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemsOf(name: string, rule: unknown): string[] {
  if (!NAME.test(name)) return [`"${name}" is not an attribute name.`];
  if (!isObject(rule)) return [`${name} must be an object.`];
  return Object.entries(rule).flatMap(([member, value]) => {
    const known = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
    if (known === undefined) return [`${name}.${member} is not known.`];
    return known.isValid(value) ? [] : [`${name}.${member} must be ${known.needs}.`];
  });
}

function toRule(rule: object): AttributeRule {
  const isSteady = 'halfLifeDays' in rule && rule.halfLifeDays === null;
  return isSteady ? { ...rule, halfLifeDays: Infinity } : rule;
}

/**
 * Reads an attribute registry: attribute name to rule, `*` for all that are not named. `halfLifeDays: null`
 * means that the value never changes.
 *
 * @throws Error naming every problem
 */
export function parseAttributeRegistry(registry: unknown): AttributeRegistry {
  if (!isObject(registry)) throw new Error('The attribute registry must be a JSON object.');
  const problems = Object.entries(registry).flatMap(([name, rule]) => problemsOf(name, rule));
  if (problems.length > 0)
    throw new Error(
      `The attribute registry is not valid:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    );
  return Object.fromEntries(Object.entries(registry).map(([name, rule]) => [name, toRule(rule as object)]));
}
