import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import prepare from './prepare.mjs';
import { runStep, StepFailed } from './runStep.mjs';

/**
 * Each door, tokens, commands with their transactions, background work, native code (passwords) and a stop.
 */
const SMOKE = [
  'oauth/tokenEndpoint',
  'oauth/signIn',
  'commands/consent',
  'graphql/door',
  'journeys/bothDoors',
  'jobs/ingestion',
  'live/subscriptions',
];

const INSTALL_TIMEOUT_MS = 120_000;

/** Where another Node is kept, outside the checkout. */
function roomOf(version) {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'partner-consent', `node-${version}`);
}

/** Installs the npm package `node` of a major version, once. @throws StepFailed */
function install(version) {
  const room = roomOf(version);
  const program = join(room, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(program)) return program;
  mkdirSync(room, { recursive: true });
  const args = [
    'install',
    '--prefix',
    room,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `node@${version}`,
  ];
  spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_TIMEOUT_MS });
  if (!existsSync(program)) throw new StepFailed(`Node ${version} could not be installed.`, 75);
  return program;
}

/**
 * `launch.cjs test-on-node VERSION [--install-only] [FILE…]`: tests, those of SMOKE unless named, on another
 * Node than this one. Exit code 75: that Node could not be had.
 */
export default async function testOnNode([version = '', ...rest]) {
  if (!/^\d+$/.test(version)) throw new StepFailed('Which Node? 20, 22, 24 or 26.');
  const program = install(version);
  if (rest[0] === '--install-only') return;
  await prepare();
  const files = rest.length > 0 ? rest : SMOKE.map((name) => `dist/test/${name}.test.js`);
  console.log(`On Node ${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()}:`);
  const retries = process.env.CI ? ['--retries=2'] : [];
  process.exitCode = await runStep(program, ['node_modules/mocha/bin/mocha.js', ...retries, ...files]);
}
