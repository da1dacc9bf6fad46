import prepare from './prepare.mjs';
import { runHere } from './startService.mjs';

/**
 * `launch.cjs script dist/src/x.js …`: installs and builds when needed, then runs an operator's program, and
 * tells it where the operator called it (src/cli/runProgram.ts).
 */
export default async function runScript([program, ...args], folder) {
  await prepare({ tests: false });
  process.env.CALLED_IN = folder;
  await runHere(program, args);
}
