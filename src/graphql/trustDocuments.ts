import { ConfigError } from '../config.js';
import { readSettingFile } from '../readSettingFile.js';
import type { Documents } from './Documents.js';
import { checkTrustedDocuments } from './checkTrustedDocuments.js';

/**
 * Registers the operations of `TRUSTED_DOCUMENTS` and compiles them.
 *
 * @param file the path of the manifest
 * @throws ConfigError naming every invalid entry
 */
export async function trustDocuments(into: Documents, file: string): Promise<void> {
  const manifest = await readSettingFile('TRUSTED_DOCUMENTS', file, (given) => given);
  const { documents, problems } = checkTrustedDocuments(into.compiler.schema, manifest);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `TRUSTED_DOCUMENTS: ${problem}.`));
  for (const document of documents) into.trust(document);
}
