import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeReport } from '../../bench/speed/writeReport.js';

describe('the report of the bench', () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const file = join(folder, 'performance.md');
  const written = (): string => readFileSync(file, 'utf8');

  after(() => rmSync(folder, { recursive: true }));

  it('puts sections in order, whichever was measured first', async () => {
    await writeReport(file, [{ title: 'Memory under long load', text: 'It stays flat.' }]);
    await writeReport(file, [{ title: 'Customers', text: 'More cost more.\n\n### In detail\n\nA little.' }]);
    expect(written()).match(
      /^# How fast it is\n[^#]+\n## Customers\n[^]*\n## Memory under long load\n\nIt stays flat\.\n$/,
    );
  });

  it('replaces what is measured anew and keeps the rest', async () => {
    const before = written();
    await writeReport(file, [{ title: 'Memory under long load', text: 'It grows.' }]);
    expect(written()).equal(before.replace('It stays flat.', 'It grows.'));
  });

  it('drops what no part of the bench writes', async () => {
    const before = written();
    appendFileSync(file, '\n## Weather\n\nIt rains.\n');
    await writeReport(file, []);
    expect(written()).equal(before);
  });
});
