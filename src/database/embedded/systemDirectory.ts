import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchFailure } from './LaunchFailure.js';

/** Where root puts what the server's user cannot reach in DATA_DIR or in the clone. */
export const SYSTEM_ROOM = '/var/lib/partner-consent-profile-service';

/**
 * A directory outside the clone that root alone may write and everyone may pass through: for what the
 * server's user must reach when the clone lies where only root can go (as /root does).
 */
export function systemDirectory(room: string, ...names: string[]): string {
  let directory = room;
  ensureOwnedByRoot(directory);
  for (const name of names) {
    directory = join(directory, name);
    ensureOwnedByRoot(directory);
  }
  return directory;
}

function ensureOwnedByRoot(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || stats.uid !== 0)
    throw new LaunchFailure(`${directory} must be a directory that belongs to root.`);
  chmodSync(directory, 0o755);
}
