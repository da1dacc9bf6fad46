import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from './config.js';
import { createFileOnce } from './database/createFileOnce.js';

/**
 * Secrets for development: generated once and kept in `DATA_DIR`, readable only by their owner. Concurrent
 * starts get the same ones, as only the first can create the file.
 */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  await mkdir(dataDir, { recursive: true });
  const fresh: Secrets = {
    adminKeys: [randomBytes(24).toString('base64url')],
    secretsKey: randomBytes(32).toString('base64url'),
  };
  await createFileOnce(file, JSON.stringify(fresh));
  return JSON.parse(await readFile(file, 'utf8')) as Secrets;
}
