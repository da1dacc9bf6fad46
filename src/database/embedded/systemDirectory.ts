import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchFailure } from './LaunchFailure.js';

/** Root's place for files that the server's user cannot reach in DATA_DIR or in the clone. */
export const SYSTEM_ROOM = '/var/lib/partner-consent-profile-service';

/**
 * A directory outside the clone that only root may write and everyone may pass through, for files that the
 * server's user must reach when only root can enter the clone (as in /root).
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
