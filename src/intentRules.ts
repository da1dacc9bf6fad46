import { readFile } from 'node:fs/promises';
import { DEFAULT_INTENT_RULES, INTENT_CATEGORIES } from './domain/intents/IntentRules.js';
import type { IntentRules } from './domain/intents/IntentRules.js';

/**
 * The rules of `INTENTS_FILE` (JSON: `types`, `halfLifeDays`, `habit`, each laid over the built-in ones), or
 * the built-in ones.
 *
 * @throws Error when a type names a category that does not exist
 */
export async function readIntentRules(file: string | undefined): Promise<IntentRules> {
  if (file === undefined) return DEFAULT_INTENT_RULES;
  const given = JSON.parse(await readFile(file, 'utf8')) as Partial<IntentRules>;
  const rules = {
    types: { ...DEFAULT_INTENT_RULES.types, ...given.types },
    halfLifeDays: { ...DEFAULT_INTENT_RULES.halfLifeDays, ...given.halfLifeDays },
    habit: { ...DEFAULT_INTENT_RULES.habit, ...given.habit },
  };
  const wrong = Object.entries(rules.types).filter(([, category]) => !INTENT_CATEGORIES.includes(category));
  if (wrong.length === 0) return rules;
  const names = wrong.map(([type]) => type).join(', ');
  throw new Error(
    `INTENTS_FILE gives unknown categories to ${names}: one of ${INTENT_CATEGORIES.join(', ')}.`,
  );
}
