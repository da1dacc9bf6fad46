'use strict';

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
  process.chdir(require('node:path').resolve(__dirname, '..'));
  try {
    const load = COMMANDS[command];
    if (load === undefined)
      throw new Error(`Unknown command "${command}": one of ${Object.keys(COMMANDS).join(', ')}.`);
    const { default: main } = await load();
    await main(args);
  } catch (error) {
    console.error(error.expected ? error.message : error);
    process.exitCode = error.exitCode ?? 1;
  }
};
