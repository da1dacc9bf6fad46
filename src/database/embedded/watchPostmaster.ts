import { holdLock } from './holdLock.js';
import { launchPostmaster } from './launchPostmaster.js';
import type { Launch } from './launchPostmaster.js';
import { findPostmaster } from './postmaster.js';

export interface LaunchLog {
  info(message: string): void;
  warn(message: string): void;
}

const LOOK_EVERY_MS = 500;

/**
 * Restarts the server on the same port if it is killed while we use it. Of several services the first one
 * does it, under the lock; the others find it running. Returns a function that ends the watch.
 */
export function watchPostmaster(launch: Launch & { port: number }, log: LaunchLog): () => void {
  let watching = true;
  let looking = false;
  const look = async (): Promise<void> => {
    const release = await holdLock(launch.files.lock);
    try {
      if (watching && findPostmaster(launch.cluster) === undefined) await relaunch(launch, log);
    } finally {
      release();
    }
  };
  const tick = async (): Promise<void> => {
    if (looking || findPostmaster(launch.cluster) !== undefined) return;
    looking = true;
    await look().catch((error: Error) => log.warn(error.message));
    looking = false;
  };
  const timer = setInterval(() => void tick(), LOOK_EVERY_MS).unref();
  return () => {
    watching = false;
    clearInterval(timer);
  };
}

async function relaunch(launch: Launch, log: LaunchLog): Promise<void> {
  log.warn('PostgreSQL has died: starting it again.');
  await launchPostmaster(launch);
  log.warn('PostgreSQL is back.');
}
