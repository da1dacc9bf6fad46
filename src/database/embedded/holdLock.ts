import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, processIdentity } from './processIdentity.js';

const RETRY_MS = 25;

/**
 * Holds the lock file `path` until the returned function is called. Waits while another running process, or
 * another caller in this one, holds it. A lock records its holder's identity, so no lock outlives its
 * process.
 */
export async function holdLock(path: string, onWait: () => void = () => undefined): Promise<() => void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, processIdentity(process.pid) ?? '', { mode: 0o644 });
  try {
    for (let tries = 0; !linked(draft, path); tries += 1) {
      if (tries === 10) onWait();
      await breakAbandoned(path);
      await sleep(RETRY_MS);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => rmSync(path, { force: true });
}

/** A link appears together with its content, so a lock is never seen without its holder. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Only the holder of a second lock may remove a dead holder's lock, so nobody replaces it between check and
 * removal.
 */
async function breakAbandoned(path: string): Promise<void> {
  const holder = holderOf(path);
  if (holder === undefined || isRunning(holder)) return;
  const release = await holdLock(`${path}.break`);
  try {
    if (holderOf(path) === holder) rmSync(path, { force: true });
  } finally {
    release();
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
