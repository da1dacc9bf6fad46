import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { ConfigError } from '../config.js';
import type { Config } from '../config.js';
import { makeFolder } from '../database/makeFolder.js';

/**
 * Creates the folders that the service reads and writes, apart from its database.
 *
 * @throws ConfigError naming the setting of each folder that cannot be read and written
 */
export async function prepareFolders({ revocationJournal, checkpointDir }: Config): Promise<void> {
  const folders = { REVOCATION_JOURNAL: revocationJournal, CHECKPOINT_DIR: checkpointDir };
  const problems: string[] = [];
  for (const [setting, folder] of Object.entries(folders))
    try {
      if (folder === undefined) continue;
      makeFolder(folder, 0o700);
      await access(folder, constants.R_OK | constants.W_OK);
    } catch (error) {
      problems.push(unusableFolder(setting, error));
    }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** @param error why the folder of a setting cannot be used */
export function unusableFolder(setting: string, error: unknown): string {
  return `${setting}: the folder cannot be read and written: ${(error as Error).message}`;
}
