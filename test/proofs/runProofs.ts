import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofRecord } from '../support/recordProof.js';

/**
 * `npm run proofs [-- FILE…]`: every proof at its full length, then the table of what was injected and seen,
 * as docs/proofs.md keeps it.
 */
const room = mkdtempSync(join(tmpdir(), 'proofs-'));
const records = join(room, 'records');
const named = process.argv.slice(2);
const files =
  named.length > 0 ? named : ['dist/test/proofs/**/*.test.js', 'dist/test/oauth/formFuzz.test.js'];
const { status } = spawnSync(
  process.execPath,
  ['node_modules/mocha/bin/mocha.js', '--timeout', '3600000', ...files],
  {
    env: { ...process.env, PROOFS: 'long', PROOF_RECORDS: records },
    stdio: 'inherit',
  },
);
const lines = existsSync(records) ? readFileSync(records, 'utf8').trim().split('\n') : [];
rmSync(room, { recursive: true, force: true });
process.stdout.write(`\n${tableOf(lines.map((line) => JSON.parse(line) as ProofRecord))}`);
process.exitCode = status ?? 1;

function tableOf(rows: readonly ProofRecord[]): string {
  const cells = rows.map(({ proof, injected, times, checked, figure, broken }) => [
    proof,
    injected,
    String(times),
    checked,
    figure,
    broken,
  ]);
  const header = ['proof', 'injected', 'times', 'checked', 'seen', 'broken variant'];
  return [header, header.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
