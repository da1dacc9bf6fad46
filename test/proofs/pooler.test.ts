import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import { serverAccount } from '../../src/database/embedded/serverAccount.js';
import { freePort } from '../support/freePort.js';
import { describeIf } from '../support/describeIf.js';
import { hasProgram } from '../support/hasProgram.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { recordProof } from '../support/recordProof.js';

const MISSING = 'pgbouncer is not installed (apt-get install pgbouncer)';
const READ = { name: 'pooler_read', text: 'SELECT app_id FROM customers WHERE customer_id = $1 OR true' };

describeIf(hasProgram('pgbouncer'), MISSING, 'The database behind pgbouncer in transaction mode', () => {
  let test: TestDatabase;
  let room: string;
  let pooler: ChildProcess;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    const { hostname, port, username, password, pathname } = new URL(test.serviceUrl);
    const listening = await freePort();
    room = realpathSync(mkdtempSync(join(tmpdir(), 'pooler-test-')));
    chmodSync(room, 0o755);
    writeFileSync(join(room, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 });
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      `listen_addr=127.0.0.1\nlisten_port=${listening}\nunix_socket_dir=\nauth_type=trust\nauth_file=${join(room, 'users')}`,
      'pool_mode=transaction\ndefault_pool_size=2\nmax_client_conn=200\nlog_connections=0\nlog_disconnections=0',
    ];
    writeFileSync(join(room, 'pgbouncer.ini'), settings.join('\n'), { mode: 0o644 });
    pooler = spawn('pgbouncer', [join(room, 'pgbouncer.ini')], { ...serverAccount(), stdio: 'ignore' });
    const url = `postgres://${username}:${password}@127.0.0.1:${listening}${pathname}`;
    database = new Database({ url, poolSize: 20, prepared: false });
    await untilAnswers(database);
    await addApps(test.ownerUrl);
  });

  after(async () => {
    await database.close();
    const ended = once(pooler, 'exit');
    pooler.kill('SIGTERM');
    await ended;
    rmSync(room, { recursive: true, force: true });
    await test.drop();
  });

  it('shows each app only its own rows when 20 connections share 2', async () => {
    const apps = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 'app_one' : 'app_two'));
    const seen = await Promise.all(apps.map((app) => database.readAs(app, READ, ['none'])));
    expect(seen).to.deep.equal(apps.map((app) => [{ app_id: app }]));
    expect(await database.readAs('app_none', READ, ['none'])).to.deep.equal([]);
  });

  it('shows no rows to a statement without an app', async () => {
    await Promise.all(Array.from({ length: 50 }, () => database.readAs('app_one', READ, ['none'])));
    const bare = await Promise.all(Array.from({ length: 50 }, () => database.read(READ, ['none'])));
    expect(bare.flat()).to.deep.equal([]);
  });

  it('ends statements at their timeout and passes the timeout on to no other client', async () => {
    const bounded = new Database({
      url: database.pool.options.connectionString ?? '',
      poolSize: 4,
      prepared: false,
      statementTimeoutMs: 200,
    });
    const sleep = { name: 'sleep', text: 'SELECT pg_sleep(600)' };
    const ways = [
      bounded.readAs('app_one', sleep, []),
      bounded.read(sleep),
      bounded.transaction('app_one', (tx) => tx.query(sleep.text)),
    ];
    const ended = await Promise.allSettled(ways);
    await bounded.close();
    expect(
      ended.map((way) => way.status === 'rejected' && (way.reason as { code?: string }).code),
    ).to.deep.equal(ways.map(() => '57014'));
    const bound = { name: 'bound', text: `SELECT current_setting('statement_timeout') AS bound` };
    const seen = await Promise.all(
      Array.from({ length: 40 }, () => database.pool.query<{ bound: string }>(bound.text)),
    );
    expect(new Set(seen.map(({ rows }) => rows[0]?.bound))).to.deep.equal(new Set(['0']));
  });

  it('runs each transaction on one connection', async () => {
    const work = Array.from({ length: 40 }, (_, index) =>
      database.transaction(index % 2 === 0 ? 'app_one' : 'app_two', async (tx) => {
        const [first] = await tx.query('SELECT app_id FROM customers');
        const [second] = await tx.query('SELECT app_id FROM customers');
        return [first?.['app_id'], second?.['app_id'], tx.appId];
      }),
    );
    for (const [first, second, app] of await Promise.all(work))
      expect([first, second]).to.deep.equal([app, app]);
    recordProof({
      proof: 'pooler',
      injected:
        '400 reads of two apps, 40 transactions and endless statements through pgbouncer, 20 connections sharing 2',
      times: 440,
      checked: 'each app sees its own rows alone; statements end; nothing is left on a connection',
      figure: '0 rows of another',
      broken: '–',
    });
  });
});

async function untilAnswers(database: Database): Promise<void> {
  for (;;) {
    try {
      await database.read({ name: 'one', text: 'SELECT 1' });
      return;
    } catch {
      await new Promise((wake) => setTimeout(wake, 30));
    }
  }
}

async function addApps(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  for (const app of ['app_one', 'app_two']) {
    await client.query(
      `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, allowed_mask, status, created_at, updated_at)
       VALUES ($1, $1, 'public', '{}', '{}', 127, 'active', now(), now())`,
      [app],
    );
    await client.query(
      `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at) VALUES ($1, 'cus_' || $1, 'x', 'active', now(), now())`,
      [app],
    );
  }
  await client.end();
}
