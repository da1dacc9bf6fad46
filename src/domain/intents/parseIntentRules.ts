import { isJsonObject } from '../jsonValue.js';
import { isHalfLife, memberProblems, refuseProblems } from '../memberProblems.js';
import type { MemberRule } from '../memberProblems.js';
import { DEFAULT_INTENT_RULES, INTENT_CATEGORIES } from './IntentRules.js';
import type { IntentRules } from './IntentRules.js';

const CATEGORIES: readonly unknown[] = INTENT_CATEGORIES;
const MAX_DAYS = 36_500;

const CATEGORY: MemberRule = {
  isValid: (value) => CATEGORIES.includes(value),
  needs: `one of ${INTENT_CATEGORIES.join(', ')}`,
};

const HALF_LIFE: MemberRule = {
  isValid: isHalfLife,
  needs: 'a number of days above 0, or null when the intent never fades',
};

const DAYS: MemberRule = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_DAYS,
  needs: `a whole number of days from 1 to ${MAX_DAYS}`,
};

/** The rule of each member, by its object. */
const MEMBERS: Readonly<Record<keyof IntentRules, (member: string) => MemberRule | undefined>> = {
  types: () => CATEGORY,
  halfLifeDays: (member) => (CATEGORIES.includes(member) ? HALF_LIFE : undefined),
  habit: (member) => (Object.hasOwn(DEFAULT_INTENT_RULES.habit, member) ? DAYS : undefined),
};

function isKnown(name: string): name is keyof IntentRules {
  return Object.hasOwn(MEMBERS, name);
}

/**
 * Reads rules of intents: `types`, `halfLifeDays` and `habit`, each laid over the built-in one.
 * `halfLifeDays: null` means that an intent never fades.
 *
 * @throws Error naming every problem
 */
export function parseIntentRules(given: unknown): IntentRules {
  if (!isJsonObject(given)) throw new Error('The rules of intents must be a JSON object.');
  const problems = Object.entries(given).flatMap(([name, members]) =>
    isKnown(name) ? memberProblems(name, members, MEMBERS[name]) : [`${name} is not known.`],
  );
  refuseProblems('The rules of intents are not valid', problems);
  return laidOverDefaults(given as Partial<IntentRules>);
}

function laidOverDefaults({ types, halfLifeDays, habit }: Partial<IntentRules>): IntentRules {
  const halfLives = Object.entries({ ...DEFAULT_INTENT_RULES.halfLifeDays, ...halfLifeDays }).map(
    ([category, days]: [string, number | null]) => [category, days ?? Infinity] as const,
  );
  return {
    types: { ...DEFAULT_INTENT_RULES.types, ...types },
    halfLifeDays: Object.fromEntries(halfLives) as IntentRules['halfLifeDays'],
    habit: { ...DEFAULT_INTENT_RULES.habit, ...habit },
  };
}
