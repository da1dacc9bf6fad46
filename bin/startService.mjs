import { resolve } from 'node:path';
import prepare from './prepare.mjs';

/**
 * Installs, builds, then becomes the service: it runs in this very process, so that a signal to npm (which
 * package.json makes our parent by `exec`) reaches it with nothing between, and its exit code is npm's.
 */
export default async function startService() {
  await prepare({ tests: false });
  await runHere('dist/src/main.js', process.argv.slice(3));
}

/** Runs a compiled program in this process, as if Node had been given it. */
export async function runHere(program, args) {
  const path = resolve(program);
  process.argv = [process.argv[0], path, ...args];
  await import(path);
}
