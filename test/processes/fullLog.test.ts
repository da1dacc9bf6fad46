import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '../support/freePort.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { Running } from '../support/Running.js';
import { skipUnless } from '../support/skipUnless.js';
import { testEnvironment } from '../support/TestService.js';

/** Takes no byte, as a full disk does. */
const FULL = '/dev/full';

describe('A service whose log cannot be written', () => {
  let database: TestDatabase;

  before(async function () {
    skipUnless(this, existsSync(FULL), `there is no ${FULL}`);
    database = await createTestDatabase();
  });
  after(() => database?.drop());

  it('answers, says so once on standard error, and ends at a SIGTERM', async () => {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const log = openSync(FULL, 'w');
    const running = new Running(
      spawn(process.execPath, ['dist/src/main.js'], {
        env: {
          PATH,
          HOME,
          ...testEnvironment(port, database.ownerUrl, {
            ROLE: 'all',
            LOG_LEVEL: 'info',
            REQUEST_LINES: '100',
          }),
        },
        stdio: ['ignore', log, 'pipe'],
      }),
    );
    closeSync(log);
    const ask = (path: string): Promise<number | undefined> =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => undefined,
      );
    try {
      while ((await ask('/readyz')) !== 200) {
        if (running.child.exitCode !== null) throw new Error(`It ended:\n${running.output}`);
        await new Promise((wake) => setTimeout(wake, 50));
      }
      for (let asked = 0; asked < 100; asked += 1) expect(await ask('/v1/customers')).to.equal(401);
      expect(await running.end('SIGTERM')).to.equal(0);
      expect(running.output.match(/The log cannot be written: ENOSPC/g)).to.have.length.within(1, 2);
    } finally {
      await running.end('SIGKILL');
    }
  });
});
