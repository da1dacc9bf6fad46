import prepare from './prepare.mjs';
import { runHere } from './startService.mjs';

/** `launch.cjs script dist/src/x.js …`: installs and builds when needed, then runs an operator's program. */
export default async function runScript([program, ...args]) {
  await prepare({ tests: false });
  await runHere(program, args);
}
