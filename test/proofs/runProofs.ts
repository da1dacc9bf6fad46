import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofRecord } from '../support/recordProof.js';
import { withRecords } from './proofTable.js';

/**
 * `npm run proofs [-- FILE…]`: every proof at its full length (with `PROOFS=short` at that of `npm test`),
 * then what was injected and seen, in the table of docs/proofs.md. Proofs that were not run keep their lines.
 * `-- --records FILE` tells what an earlier run wrote, such as `PROOF_RECORDS=FILE npm test`.
 */
const DOCUMENT = 'docs/proofs.md';
const TESTS = 'dist/test';
const [first = '', ...others] = process.argv.slice(2);
const isTold = first === '--records';
const length = process.env['PROOFS'] ?? (isTold ? 'short' : 'long');
const lines = isTold ? linesOf(others[0] ?? '') : runAll([first, ...others].filter((file) => file !== ''));
const run = `${length}, ${new Date().toISOString().slice(0, 10)}`;
const seen = lines.map((line) => JSON.parse(line) as ProofRecord);
writeFileSync(DOCUMENT, withRecords(readFileSync(DOCUMENT, 'utf8'), seen, run));
process.stdout.write(`\n${seen.length} proofs are told in ${DOCUMENT}.\n`);

function runAll(named: readonly string[]): string[] {
  const room = mkdtempSync(join(tmpdir(), 'proofs-'));
  const records = join(room, 'records');
  const files = named.length > 0 ? named : allProofs();
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/mocha/bin/mocha.js', '--timeout', '3600000', ...files],
    { env: { ...process.env, PROOFS: length, PROOF_RECORDS: records }, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
  const told = existsSync(records) ? linesOf(records) : [];
  rmSync(room, { recursive: true, force: true });
  return told;
}

/** The files of proofs, and of other tests that have a longer form or are left out of `npm test`. */
function allProofs(): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(TESTS, name))
    .filter(
      (file) =>
        file.startsWith(join(TESTS, 'proofs/')) ||
        readFileSync(file, 'utf8').includes('support/itInProofs.js'),
    )
    .toSorted();
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}
