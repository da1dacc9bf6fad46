import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config.js';
import type { Documents } from './Documents.js';
import { checkTrustedDocuments } from './checkTrustedDocuments.js';

/**
 * Registers the operations of `TRUSTED_DOCUMENTS` and compiles them.
 *
 * @param file path of the manifest
 * @throws ConfigError naming every entry that cannot be trusted
 */
export async function trustDocuments(into: Documents, file: string): Promise<void> {
  const { documents, problems } = checkTrustedDocuments(into.compiler.schema, await readManifest(file));
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `TRUSTED_DOCUMENTS: ${problem}.`));
  for (const document of documents) into.trust(document);
}

async function readManifest(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([`TRUSTED_DOCUMENTS: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
