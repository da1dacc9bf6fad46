import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ProofRecord } from '../support/recordProof.js';
import { provedIn, withRecords } from '../proofs/proofTable.js';

const ROOM = 'test/proofs/';

const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.test.ts'),
);

describe('the proofs', () => {
  for (const file of files)
    it(`have a record of what was seen: ${file}`, () => {
      expect(readFileSync(ROOM + file, 'utf8')).to.match(/recordProof\(\{\s*proof: '/);
    });

  const record: ProofRecord = {
    proof: 'b',
    injected: 'one | two',
    times: 1200,
    checked: 'c',
    figure: 'f',
    broken: '–',
  };

  it('keep the lines of those that were not run, and replace those that were', () => {
    const empty = 'Before.\n<!-- printed by npm run proofs -->\n<!-- end -->\nAfter.\n';
    const first = withRecords(empty, [record, { ...record, proof: 'a' }], 'short, 2026-01-01');
    const second = withRecords(first, [{ ...record, figure: 'g' }], 'long, 2026-01-02');
    expect(provedIn(second)).to.deep.equal(['a', 'b']);
    expect(second).to.include('| b | one \\| two | 1,200 | c | g | – | long, 2026-01-02 |');
    expect(second).to.include('| a | one \\| two | 1,200 | c | f | – | short, 2026-01-01 |');
    expect(withRecords(second, [], '')).to.equal(second);
    expect(second.startsWith('Before.\n') && second.endsWith('After.\n')).to.equal(true);
  });
});
