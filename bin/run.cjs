'use strict';

const { resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');

const COMMANDS = {
  start: () => import('./startService.mjs'),
  test: () => import('./runTests.mjs'),
  'test-on-node': () => import('./testOnNode.mjs'),
  script: () => import('./runScript.mjs'),
  prepare: () => import('./prepare.mjs'),
};

/**
 * Runs one of the commands above with its arguments; an expected failure is one sentence, without a stack.
 */
module.exports = async function run(command, args) {
  const folder = folderOfCaller();
  process.chdir(ROOT);
  try {
    const load = COMMANDS[command];
    if (load === undefined)
      throw new Error(`Unknown command "${command}": one of ${Object.keys(COMMANDS).join(', ')}.`);
    const { default: main } = await load();
    await main(args, folder);
  } catch (error) {
    console.error(error.expected ? error.message : error);
    process.exitCode = error.exitCode ?? 1;
  }
};

/** npm goes to the folder of package.json first, and tells where it was called. */
function folderOfCaller() {
  const folder = process.cwd();
  return folder === ROOT ? process.env.INIT_CWD || folder : folder;
}
