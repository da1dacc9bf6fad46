import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import { freePort } from '../support/freePort.js';
import { serverAccount } from '../../src/database/embedded/serverAccount.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { describeIf } from '../support/describeIf.js';
import { hasProgram } from '../support/hasProgram.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { registerApp } from '../support/registerApp.js';
import { runProgram } from '../support/runProgram.js';
import { testEnvironment } from '../support/TestService.js';

const MISSING = 'pgbouncer is not installed (apt-get install pgbouncer)';

describeIf(hasProgram('pgbouncer'), MISSING, 'the deployment with its pooler', () => {
  let test: TestDatabase;
  let room: string;
  let pooler: ChildProcess;
  let service: RunningService;
  let ownerUrl: string;

  before(async () => {
    test = await createTestDatabase();
    room = realpathSync(mkdtempSync(join(tmpdir(), 'deploy-pooler-')));
    chmodSync(room, 0o755);
    const port = await freePort();
    const url = new URL(test.ownerUrl);
    const { hostname, port: server, username, password } = url;
    const users = join(room, 'users.txt');
    writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 });
    const settings = configuration({
      '* = host=postgres port=5432': `* = host=${hostname} port=${server}`,
      'listen_addr = 0.0.0.0': 'listen_addr = 127.0.0.1',
      'listen_port = 6432': `listen_port = ${port}`,
      'auth_file = /run/pgbouncer/users.txt': `auth_file = ${users}`,
      'auth_user = consent': `auth_user = ${username}`,
    });
    writeFileSync(join(room, 'pgbouncer.ini'), settings, { mode: 0o644 });
    pooler = spawn('pgbouncer', [join(room, 'pgbouncer.ini')], { ...serverAccount(), stdio: 'ignore' });
    url.host = `127.0.0.1:${port}`;
    ownerUrl = url.toString();
    const env = { PREPARED_STATEMENTS: 'off', MIGRATIONS: 'wait', LOG_LEVEL: 'silent' };
    service = await startService(configFrom(testEnvironment(await freePort(), ownerUrl, env)));
  });

  after(async () => {
    await service.stop();
    const ended = once(pooler, 'exit');
    pooler.kill('SIGTERM');
    await ended;
    rmSync(room, { recursive: true, force: true });
    await test.drop();
  });

  it('lets the service in by the logins that it makes itself, and serves consent and claims', async () => {
    const app = await registerApp(service.url);
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer));
    const read = () => app.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
    expect(expectStatus(await read(), 200).facts).to.have.length(1);
    await revoke(app, receipt);
    expect((await read()).status).to.equal(403);
  });

  it('runs commands one after another over the same connections', async () => {
    const env = { DATABASE_URL: ownerUrl, PREPARED_STATEMENTS: 'off' };
    for (let times = 0; times < 2; times += 1) {
      const program = [resolve('dist/src/cli/consent.js'), 'apps', 'list', '--json'];
      const { code, stderr } = await runProgram(process.execPath, program, { env });
      expect([code, stderr]).to.deep.equal([0, '']);
    }
  });
});

/** The file of the deployment with this machine's addresses: each line that is replaced must be there. */
function configuration(changes: Readonly<Record<string, string>>): string {
  let text = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8');
  for (const [line, own] of Object.entries(changes)) {
    expect(text.split('\n')).to.include(line);
    text = text.replace(line, own);
  }
  return text;
}
