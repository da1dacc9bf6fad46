import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keptSecrets } from '../../src/start/keptSecrets.js';
import { runOnFullDisk } from '../support/runOnFullDisk.js';

describe('keptSecrets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(realpathSync(tmpdir()), 'secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives concurrent first starts the same secrets, from one file that only its owner reads', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => keptSecrets(folder)));
    expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).to.equal(1);
    expect(readdirSync(folder)).to.deep.equal(['secrets.json']);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).to.equal(0o600);
  });

  it('leaves nothing behind when they cannot be written, so that the next start makes them', async () => {
    const program = `const { keptSecrets } = await import(process.argv[1]); await keptSecrets(process.argv[2])`;
    const module = new URL('../../src/start/keptSecrets.js', import.meta.url).href;
    const { status, stderr } = runOnFullDisk(0, program, [module, folder]);
    expect(status).to.equal(1);
    expect(stderr).to.include('EFBIG');
    expect(readdirSync(folder)).to.deep.equal([]);
    expect((await keptSecrets(folder)).adminKeys).to.have.length(1);
  });
});
