import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../src/database/makeFolder.js';

describe('A folder that is made', () => {
  let room: string;

  before(async () => {
    room = await mkdtemp(join(tmpdir(), 'folder-'));
  });
  after(() => rm(room, { recursive: true }));

  it('is made with those above it, and is left as it is when it exists', () => {
    const folder = join(room, 'a', 'b', 'c');
    makeFolder(folder, 0o700);
    makeFolder(folder, 0o755);
    for (const made of [folder, join(room, 'a')]) expect(statSync(made).mode & 0o777, made).to.equal(0o700);
  });

  it('is refused at once where it cannot be made', async () => {
    const file = join(room, 'file');
    const dangling = join(room, 'dangling');
    await writeFile(file, '');
    await symlink(join(room, 'absent'), dangling);
    for (const folder of ['/proc/none', '/proc/none/below', file, join(file, 'below'), dangling])
      expect(() => makeFolder(folder), folder).to.throw(/^E[A-Z]+: /);
    expect(existsSync(join(room, 'absent'))).to.equal(false);
  });
});
