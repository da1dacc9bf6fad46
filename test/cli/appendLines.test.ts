import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appendLines } from '../../src/cli/appendLines.js';
import { runOnFullDisk } from '../support/runOnFullDisk.js';

describe('appendLines', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'lines-'));
    file = join(folder, 'ledger.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('leaves no part of a line where the disk is full', () => {
    const former = `${'x'.repeat(400)}\n`;
    writeFileSync(file, former);
    const program = `const { appendLines } = await import(process.argv[1]);
      await appendLines(process.argv[2], ['y'.repeat(50), 'z'.repeat(400)])`;
    const module = new URL('../../src/cli/appendLines.js', import.meta.url).href;
    const { status, stderr } = runOnFullDisk(1, program, [module, file]);
    expect(status).to.equal(1);
    expect(stderr).to.include('EFBIG');
    expect(readFileSync(file, 'utf8')).to.equal(former);
  });

  it('begins on a line of its own after one that was cut short', async () => {
    await appendLines(file, ['first']);
    writeFileSync(file, 'cut sh', { flag: 'a' });
    await appendLines(file, ['second', 'third']);
    expect(readFileSync(file, 'utf8')).to.equal('first\ncut sh\nsecond\nthird\n');
  });
});
