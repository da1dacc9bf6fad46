import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { StepFailed, runStep } from './runStep.mjs';

const LOCK = 'package-lock.json';
const STAMP = 'node_modules/.install-stamp';
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Installs what package-lock.json names, when node_modules does not have it already. Development packages are
 * part of it even under NODE_ENV=production when something is to be built: the compiler is one.
 */
export async function installDependencies({ development }) {
  const wanted = fingerprint();
  if (readIfThere(STAMP) === wanted) return;
  if (!isInstalled(true)) {
    if (!development && isInstalled(false)) return;
    await install();
  }
  writeFileSync(STAMP, wanted);
}

async function install() {
  console.error('Installing dependencies (once; 20 to 90 seconds) …');
  if ((await npm('ci')) === 0) return;
  console.error('npm ci failed; once more, with npm install …');
  const code = await npm('install', '--no-save');
  if (code !== 0) throw new StepFailed('Installing failed: see npm above. Is its registry reachable?', code);
}

/** The very npm that runs us, where one does, or else the one on the path. */
function npm(...command) {
  const args = [
    ...command,
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { npm_execpath: cli } = process.env;
  const [program, before] =
    cli !== undefined && /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  return runStep(program, [...before, ...args], { progress: 'still installing' });
}

/** The lock file together with what decides which native packages fit. */
function fingerprint() {
  const machine = `${process.platform} ${process.arch} ${process.versions.modules}`;
  return createHash('sha256').update(readFileSync(LOCK)).update(machine).digest('hex');
}

/**
 * Whether npm's own record of node_modules has what the lock file names for this machine, at the locked
 * versions.
 */
function isInstalled(development) {
  if (!existsSync(INSTALLED)) return false;
  const have = packagesOf(INSTALLED);
  const needed = Object.entries(packagesOf(LOCK)).filter(
    ([path, locked]) => path !== '' && isNeeded(locked, development),
  );
  return needed.every(([path, { version }]) => have[path]?.version === version && existsSync(path));
}

/**
 * Of the optional packages only the native ones made for this machine: those of another are what a copied
 * tree has.
 */
function isNeeded({ dev, devOptional, optional, peer, os, cpu, libc }, development) {
  if ((dev || devOptional) && !development) return false;
  if (!optional && !devOptional && !peer) return true;
  return (
    libc === undefined && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
