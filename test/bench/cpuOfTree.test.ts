import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { cpuOfTree } from '../../bench/speed/cpuOfTree.js';
import { skipUnless } from '../support/skipUnless.js';

const SPIN = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);';

describe('cpuOfTree', () => {
  before(function () {
    skipUnless(this, existsSync('/proc/self/stat'), 'the system has no /proc');
  });

  it('includes children, even after they have ended', async () => {
    const before = cpuOfTree(process.pid);
    const child = spawn(process.execPath, ['-e', `${SPIN} console.log(); setInterval(() => {}, 1000);`]);
    await once(child.stdout, 'data');
    const during = cpuOfTree(process.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(during - before).at.least(180);
    expect(cpuOfTree(process.pid)).at.least(during);
  });

  it('is NaN for an unknown process', () => {
    expect(cpuOfTree(-1)).to.satisfy(Number.isNaN);
  });
});
