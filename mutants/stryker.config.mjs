// Of the room that MUTANTS names (mutants/rooms.mjs), or of the files MUTANTS_FILES of it; with
// MUTANTS_STATIC=1 those of what runs once, when a file is loaded, too.
import { rooms } from './rooms.mjs';

const { MUTANTS: name = 'access', MUTANTS_FILES: files = '' } = process.env;
const { mutate, tests, timeoutMS = 60_000 } = rooms[name];

export default {
  plugins: ['@stryker-mutator/mocha-runner', './mutants/keepEach.mjs'],
  testRunner: 'mocha',
  mochaOptions: { config: 'mutants/mocharc.json', spec: tests },
  mutate: files === '' ? mutate : files.split(','),
  buildCommand: 'sh mutants/build.sh',
  coverageAnalysis: 'perTest',
  ignoreStatic: process.env.MUTANTS_STATIC !== '1',
  incremental: true,
  incrementalFile: `.tmp/mutants-${name}-incremental.json`,
  concurrency: Number(process.env.MUTANTS_CONCURRENCY ?? 1),
  timeoutMS,
  dryRunTimeoutMinutes: 60,
  // A mutant that fails a `before` hook leaves the connections that the hook opened.
  maxTestRunnerReuse: 60,
  disableTypeChecks: '{src,test,schema,resolvers,entities,rest-bridge,bench}/**/*.ts',
  ignorePatterns: [
    '/.tmp',
    '/dist',
    '/.data',
    '/site/.work',
    '/*/node_modules',
    '/{clients,examples}/*/node_modules',
  ],
  tempDirName: `.tmp/mutants-${name}`,
  reporters: ['clear-text', 'json', 'progress-append-only', 'each'],
  jsonReporter: { fileName: `.tmp/mutants-${name}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tsconfigFile: 'mutants/none.json',
  cleanTempDir: 'always',
  symlinkNodeModules: false,
};
