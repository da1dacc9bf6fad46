import { readFile } from 'node:fs/promises';
import type { AttributeRegistry } from './domain/resolution/attributeRule.js';

/** The attribute registry of `ATTRIBUTES_FILE` (JSON: attribute name to rule, `*` for the rest), or an empty one. */
export async function readAttributes(file: string | undefined): Promise<AttributeRegistry> {
  return file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as AttributeRegistry);
}
