import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import prepare from './prepare.mjs';
import { runLanes } from './runLanes.mjs';
import { runStep } from './runStep.mjs';
import { shuffled } from './shuffled.mjs';

const RANDOM = /^--random(?:=(\d+))?$/;
const TIMES = /^--times=(\d+)$/;
const LANES = /^--lanes=(\d+)$/;

/**
 * `npm test [-- FILE… --grep x]`: every compiled test, or those named (as sources, compiled files or folders
 * of `test`).
 *
 * - `--random`, `--random=SEED`: the files in a random order; the seed is printed, and gives the same order
 *   again.
 * - `--times=N`: again and again until a run fails, N times at most.
 * - `--lanes=N`: in N processes at once; two in CI (`CI`).
 */
export default async function runTests(args) {
  await prepare();
  const random = args.map((arg) => RANDOM.exec(arg)).find(Boolean);
  const valueOf = (option, otherwise) =>
    Number(args.map((arg) => option.exec(arg)).find(Boolean)?.[1] ?? otherwise);
  const times = valueOf(TIMES, 1);
  const lanes = valueOf(LANES, process.env.CI ? 2 : 1);
  const own = [RANDOM, TIMES, LANES];
  const rest = args.filter((arg) => !own.some((option) => option.test(arg))).map(asCompiled);
  const options = rest.filter((arg) => !isTests(arg));
  const named = rest.filter(isTests);
  const files = (named.length > 0 ? named : ['dist/test/']).flatMap(testFiles);
  const seed = Number(random?.[1] ?? Math.floor(Math.random() * 2 ** 32));
  process.exitCode = 0;
  for (let run = 0; run < times && process.exitCode === 0; run += 1)
    process.exitCode = await runOnce(random ? inRandomOrder(files, seed + run) : files, options, lanes);
}

function runOnce(files, options, lanes) {
  // A busy CI machine gets one more try at a test; the reporter names every test that needed it.
  const strict = process.env.CI ? ['--forbid-only', '--retries=1'] : [];
  const args = ['node_modules/mocha/bin/mocha.js', ...strict, ...options];
  return lanes > 1 ? runLanes(lanes, files, args) : runStep(process.execPath, [...args, ...files]);
}

function inRandomOrder(files, seed) {
  console.log(`The order of the files is that of --random=${seed}.`);
  return shuffled(files, seed);
}

function isTests(argument) {
  return argument.endsWith('.test.js') || /^dist\/test\/[\w/-]*$/.test(argument);
}

function testFiles(path) {
  if (path.endsWith('.js')) return [path];
  const names = readdirSync(path, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  return names.toSorted().map((name) => join(path, name));
}

function asCompiled(argument) {
  if (/^(?:\.\/)?test\/[\w/-]*$/.test(argument)) return join('dist', argument);
  if (!/\.test\.(ts|js)$/.test(argument)) return argument;
  const compiled = argument.replace(/^\.\//, '').replace(/\.ts$/, '.js');
  return compiled.startsWith('dist/') || compiled.startsWith('/') ? compiled : `dist/${compiled}`;
}
