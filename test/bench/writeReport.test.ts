import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TITLES } from '../../bench/speed/Section.js';
import { writeReport } from '../../bench/speed/writeReport.js';

describe('the report of the benchmarks', () => {
  const [first, second] = TITLES;
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'report-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('replaces what was measured and keeps every other section, those written by hand last', async () => {
    const file = join(folder, 'report.md');
    writeFileSync(
      file,
      `# Old\n\n## By hand\n\nKept.\n\n## ${second}\n\nAlso kept.\n\n## ${first}\n\nOld.\n`,
    );
    await writeReport(file, [{ title: first, text: 'New.' }]);
    const report = readFileSync(file, 'utf8');
    expect(report.slice(report.indexOf('## '))).to.equal(
      `## ${first}\n\nNew.\n\n## ${second}\n\nAlso kept.\n\n## By hand\n\nKept.\n`,
    );
  });
});
