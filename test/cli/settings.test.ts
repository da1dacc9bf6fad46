import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { itInProofs } from '../support/itInProofs.js';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';

describe('Settings with white space at their ends, or with nothing else', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'consent-settings-'));
    writeFileSync(join(folder, 'file'), '');
  });

  after(() => rmSync(folder, { recursive: true }));

  const run = (program: string, env: Record<string, string>, ...args: string[]): Promise<Ended> =>
    runProgram(process.execPath, [resolve(`dist/src/${program}.js`), ...args], { cwd: folder, env });

  itInProofs('name the same DATA_DIR to a start and to a migration', async () => {
    const wrong = { NODE_ENV: 'development', PORT: 'x' };
    for (const program of ['main', 'cli/migrate'])
      for (const [given, used] of [
        ['', '.data'],
        [' ', '.data'],
        [` ${program} `, program],
      ] as const) {
        const { stderr } = await run(program, { ...wrong, DATA_DIR: given });
        expect(stderr).to.match(/^The configuration is not valid:\n {2}- PORT must be [^\n]*\n$/);
        expect(existsSync(join(folder, used, 'secrets.json')), `${program} "${given}"`).to.equal(true);
        rmSync(join(folder, used), { recursive: true });
      }
  });

  it('name the same DATA_DIR to the commands of a demonstration', async () => {
    writeFileSync(join(folder, 'demo.json'), JSON.stringify({ appId: 'app_x', clientSecret: 'x' }));
    const env = { DATA_DIR: `${folder} `, CLIENT_ID: ' ', CLIENT_SECRET: ' ' };
    const { stderr } = await run('cli/listenWebhooks', env, '--url', 'http://127.0.0.1:1');
    expect(stderr).to.not.include('Start the service first');
    const filled = await run('cli/demoData', { ...env, PORT: ' 1 ', BASE_URL: '' });
    expect(filled.stderr).to.include('at http://localhost:1 with its data in ').and.include(`${folder}.`);
  });

  it('make no database of a DATA_DIR without one for a command that works on it', async () => {
    for (const dataDir of ['none', '.']) {
      const env = { DATABASE_URL: ' ', DATA_DIR: dataDir };
      const { code, stdout, stderr } = await run('cli/consent', env, 'apps', 'list', '--json');
      const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
      expect([code, stdout, error.code]).to.deep.equal([1, '', 'unavailable']);
      expect(error.message).to.match(/^DATA_DIR: there is no database in .*\. Start the service once/);
      expect(existsSync(join(folder, dataDir, 'postgres')), dataDir).to.equal(false);
    }
    expect(existsSync(join(folder, 'none'))).to.equal(false);
  });

  it('are named in the advice about a port that is taken', async () => {
    const holder = createServer();
    await new Promise<void>((listening) => holder.listen(0, '127.0.0.1', listening));
    try {
      const { port } = holder.address() as AddressInfo;
      for (const given of [` ${port}`, `0${port}`]) {
        const env = { NODE_ENV: 'development', DATABASE_URL: '', PORT: '0', OPERATIONS_PORT: given };
        const { stderr } = await run('main', { ...env, DATA_DIR: 'ports' });
        expect(stderr).to.include('Set OPERATIONS_PORT to a free port');
      }
    } finally {
      holder.close();
    }
  });

  it('tell a DATA_DIR that is no folder in a sentence', async () => {
    const none = { NODE_ENV: 'development', DATABASE_URL: ' ', SECRETS_KEY: ' ' };
    for (const program of ['main', 'cli/migrate']) {
      const { code, stderr } = await run(program, { ...none, DATA_DIR: join(folder, 'file') });
      expect([program, code]).to.deep.equal([program, 1]);
      expect(stderr).to.match(
        /^The configuration is not valid:\n {2}- DATA_DIR: the folder cannot [^\n]*\n$/,
      );
    }
  });
});
