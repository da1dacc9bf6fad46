import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProject, isBuilt } from './buildProject.mjs';
import { installDependencies } from './installDependencies.mjs';

const LOCK = '.preparing';

/**
 * Installs and builds what is not up to date; two commands started at the same moment do it one after the
 * other.
 */
export default async function prepare({ tests = true } = {}) {
  await lock();
  try {
    await installDependencies({ development: tests || !isBuilt() });
    await buildProject();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function lock() {
  for (let said = false; !locked(); said = true) {
    if (!said)
      console.error(
        `Another command is installing or building here: waiting for it (where there is none, remove ${LOCK}) …`,
      );
    await sleep(200);
  }
}

function locked() {
  try {
    const file = openSync(LOCK, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isAbandoned() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
    // Empty: its holder is about to write, or was killed before it could.
    if (holder === 0) return Date.now() - statSync(LOCK).mtimeMs > 5000;
    return !process.kill(holder, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
