import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.js';
import type { Secrets } from '../config.js';
import { createFileOnce } from '../database/createFileOnce.js';
import { makeFolder } from '../database/makeFolder.js';
import { unusableFolder } from './prepareFolders.js';

/**
 * Secrets for development: generated once and kept in `DATA_DIR`, readable only by their owner. Concurrent
 * starts get the same ones, as only the first can create the file.
 *
 * @throws ConfigError when the folder cannot be used
 */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const fresh: Secrets = {
    adminKeys: [randomBytes(24).toString('base64url')],
    secretsKey: randomBytes(32).toString('base64url'),
  };
  return JSON.parse(await keptText(dataDir, JSON.stringify(fresh))) as Secrets;
}

async function keptText(dataDir: string, fresh: string): Promise<string> {
  const file = join(dataDir, 'secrets.json');
  try {
    makeFolder(dataDir);
    await createFileOnce(file, fresh);
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError([unusableFolder('DATA_DIR', error)]);
  }
}
