import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { skipUnless } from '../support/skipUnless.js';

interface Ending {
  code: number | null;
  err: string;
}

describe('The output of a command', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });

  after(() => database.drop());

  /** @param output a file; absent: a pipe whose reader leaves at once */
  async function run(args: readonly string[], output?: string): Promise<Ending> {
    const file = output === undefined ? undefined : openSync(output, 'w');
    const child = spawn(process.execPath, ['dist/src/cli/consent.js', ...args], {
      env: { ...process.env, DATABASE_URL: database.ownerUrl },
      stdio: ['ignore', file ?? 'pipe', 'pipe'],
    });
    child.stdout?.destroy();
    if (file !== undefined) closeSync(file);
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    await once(child, 'close');
    return { code: child.exitCode, err };
  }

  const lost = /^The command did its work, but its output could not be written: ENOSPC[^\n]*\n$/;

  it('fails the command when it cannot be written', async function () {
    skipUnless(this, existsSync('/dev/full'), 'this system has no /dev/full');
    const create = ['account', 'create', '--email', 'lost@partner.example', '--generate'];
    for (const args of [create, ['--help'], ['completion', 'bash'], ['apps', 'list', '--help']]) {
      const { code, err } = await run(args, '/dev/full');
      expect([args, code]).to.deep.equal([args, 1]);
      expect(err).to.match(lost);
    }
    const { code, err } = await run(['log', 'list', '--json'], '/dev/full');
    expect([code, (JSON.parse(err) as { error: { code: string } }).error.code]).to.deep.equal([
      1,
      'unavailable',
    ]);
  });

  it('ends quietly when its reader has left', async () => {
    for (const args of [['--help'], ['completion', 'bash'], ['log', 'list'], ['log', 'list', '--json']])
      expect([args, await run(args)]).to.deep.equal([args, { code: 141, err: '' }]);
  });
});
