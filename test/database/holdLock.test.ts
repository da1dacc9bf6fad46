import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdLock } from '../../src/database/embedded/holdLock.js';
import { isRunning, processIdentity } from '../../src/database/embedded/processIdentity.js';

describe('holdLock', () => {
  let room: string;
  beforeEach(() => (room = mkdtempSync(join(tmpdir(), 'lock-test-'))));
  afterEach(() => rmSync(room, { recursive: true, force: true }));

  it('lets one in at a time and leaves no file behind', async () => {
    const path = join(room, 'lock');
    let inside = 0;
    let most = 0;
    const visit = async (): Promise<void> => {
      const release = await holdLock(path);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      release();
    };
    await Promise.all(Array.from({ length: 8 }, visit));
    expect(most).to.equal(1);
    expect(readdirSync(room)).to.deep.equal([]);
  });

  it('passes from a holder that is dead, also with its pid in use again', async () => {
    const path = join(room, 'lock');
    const { pid } = spawnSync('true');
    for (const dead of [`${pid}.1`, `${process.pid}.1`]) {
      writeFileSync(path, dead);
      expect(isRunning(dead)).to.equal(false);
      const visits = Array.from({ length: 4 }, async () => (await holdLock(path))());
      await Promise.all(visits);
    }
    expect(readdirSync(room)).to.deep.equal([]);
  });

  it('waits for a living holder and says so', async () => {
    const path = join(room, 'lock');
    const release = await holdLock(path);
    let waited = 0;
    const second = holdLock(path, () => {
      waited += 1;
      release();
    });
    (await second)();
    expect(waited).to.equal(1);
  });

  it('tells a process from another one that had its pid before', () => {
    const own = processIdentity(process.pid) ?? '';
    expect(isRunning(own)).to.equal(true);
    expect(isRunning(`${own}0`)).to.equal(false);
    expect(processIdentity(2 ** 30)).to.equal(undefined);
  });
});
