import { isJsonObject } from '../jsonValue.js';
import { isAmount, isHalfLife, memberProblems, refuseProblems } from '../memberProblems.js';
import type { MemberRule } from '../memberProblems.js';
import type { AttributeRegistry } from './attributeRule.js';
import type { AttributeRule } from './types.js';
import { ATTRIBUTE_METHODS, ATTRIBUTE_TYPES } from './types.js';

const NAME = /^(?:\*|[a-z][a-z0-9_.]{0,127})$/u;

const TYPES: readonly unknown[] = ATTRIBUTE_TYPES;
const METHODS: readonly unknown[] = ATTRIBUTE_METHODS;

const MEMBERS: Readonly<Record<string, MemberRule>> = {
  type: { isValid: (value) => TYPES.includes(value), needs: `one of ${TYPES.join(', ')}` },
  method: { isValid: (value) => METHODS.includes(value), needs: `one of ${METHODS.join(', ')}` },
  tolerance: { isValid: isAmount, needs: 'a number that is not negative' },
  relativeTolerance: { isValid: isAmount, needs: 'a number that is not negative' },
  halfLifeDays: {
    isValid: isHalfLife,
    needs: 'a number of days above 0, or null when the value never changes',
  },
};

function problemsOf(name: string, rule: unknown): string[] {
  if (!NAME.test(name)) return [`"${name}" is not an attribute name.`];
  return memberProblems(name, rule, (member) =>
    Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined,
  );
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
  if (!isJsonObject(registry)) throw new Error('The attribute registry must be a JSON object.');
  const problems = Object.entries(registry).flatMap(([name, rule]) => problemsOf(name, rule));
  refuseProblems('The attribute registry is not valid', problems);
  return Object.fromEntries(Object.entries(registry).map(([name, rule]) => [name, toRule(rule as object)]));
}
