import type { AttributeRegistry } from '../domain/resolution/attributeRule.js';
import { parseAttributeRegistry } from '../domain/resolution/parseAttributeRegistry.js';
import { readSettingFile } from '../readSettingFile.js';
import { STANDARD_ATTRIBUTES } from '../domain/resolution/standardAttributes.js';

/**
 * The standard attributes, overridden by those of `ATTRIBUTES_FILE` (JSON: attribute name to rule, `*` for
 * the rest).
 *
 * @throws ConfigError naming what is wrong with the file
 */
export async function readAttributes(file: string | undefined): Promise<AttributeRegistry> {
  if (file === undefined) return STANDARD_ATTRIBUTES;
  return {
    ...STANDARD_ATTRIBUTES,
    ...(await readSettingFile('ATTRIBUTES_FILE', file, parseAttributeRegistry)),
  };
}
