import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Running } from '../support/Running.js';
import { itInProofs } from '../support/itInProofs.js';

describe('npm run demo', () => {
  itInProofs('leaves nothing behind when it is interrupted while its service starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'consent-interrupted-'));
    try {
      const child = spawn(process.execPath, ['dist/src/cli/demo.js'], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const demo = new Running(child);
      await demo.until('Starting a service');
      await sleep(500);
      // Ctrl-C arrives from the terminal and from npm.
      child.kill('SIGINT');
      expect(await demo.end('SIGINT')).to.equal(130);
      expect(readdirSync(folder)).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
