import { DEFAULT_INTENT_RULES, INTENT_CATEGORIES } from './domain/intents/IntentRules.js';
import type { IntentRules } from './domain/intents/IntentRules.js';
import { readSettingFile } from './readSettingFile.js';

/**
 * The rules of `INTENTS_FILE` (JSON: `types`, `halfLifeDays`, `habit`), each merged over the built-in ones,
 * or only the built-in ones.
 *
 * @throws ConfigError when the file cannot be read, or a type names a category that does not exist
 */
export async function readIntentRules(file: string | undefined): Promise<IntentRules> {
  if (file === undefined) return DEFAULT_INTENT_RULES;
  return readSettingFile('INTENTS_FILE', file, rulesOf);
}

function rulesOf(parsed: unknown): IntentRules {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('The file must hold an object.');
  const given = parsed as Partial<IntentRules>;
  const rules = {
    types: { ...DEFAULT_INTENT_RULES.types, ...given.types },
    halfLifeDays: { ...DEFAULT_INTENT_RULES.halfLifeDays, ...given.halfLifeDays },
    habit: { ...DEFAULT_INTENT_RULES.habit, ...given.habit },
  };
  const wrong = Object.entries(rules.types).filter(([, category]) => !INTENT_CATEGORIES.includes(category));
  if (wrong.length === 0) return rules;
  const names = wrong.map(([type]) => type).join(', ');
  throw new Error(`unknown categories are given to ${names}: one of ${INTENT_CATEGORIES.join(', ')}.`);
}
