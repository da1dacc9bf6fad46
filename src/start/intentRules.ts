import { DEFAULT_INTENT_RULES } from '../domain/intents/IntentRules.js';
import type { IntentRules } from '../domain/intents/IntentRules.js';
import { parseIntentRules } from '../domain/intents/parseIntentRules.js';
import { readSettingFile } from '../readSettingFile.js';

/**
 * The built-in rules of intents, overridden by those of `INTENTS_FILE` (JSON: `types`, `halfLifeDays`,
 * `habit`).
 *
 * @throws ConfigError naming what is wrong with the file
 */
export async function readIntentRules(file: string | undefined): Promise<IntentRules> {
  if (file === undefined) return DEFAULT_INTENT_RULES;
  return readSettingFile('INTENTS_FILE', file, parseIntentRules);
}
