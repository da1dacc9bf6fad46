import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from './config.js';

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
  try {
    await writeFile(file, JSON.stringify(fresh), { flag: 'wx', mode: 0o600 });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  }
}
