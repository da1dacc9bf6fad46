import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stopPostmaster, within } from '../../src/database/embedded/postmaster.js';
import { EmbeddedHolder } from '../support/EmbeddedHolder.js';
import type { HolderOptions } from '../support/EmbeddedHolder.js';
import { itInProofs } from '../support/itInProofs.js';

describe('the embedded PostgreSQL', () => {
  let room: string;
  let dataDir: string;
  const holders: EmbeddedHolder[] = [];

  async function start(options: Partial<HolderOptions> = {}): Promise<EmbeddedHolder> {
    const holder = await EmbeddedHolder.start({ dataDir, systemRoom: join(room, 'system'), ...options });
    holders.push(holder);
    return holder;
  }

  async function startWithData(): Promise<EmbeddedHolder> {
    const holder = await start();
    await holder.query('CREATE TABLE kept (value int)');
    await holder.query('INSERT INTO kept VALUES (42)');
    return holder;
  }

  async function expectData(holder: EmbeddedHolder): Promise<void> {
    expect(await holder.query('SELECT value FROM kept')).to.deep.equal([{ value: 42 }]);
  }

  beforeEach(() => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-test-')));
    chmodSync(room, 0o755);
    dataDir = join(room, 'data');
  });

  afterEach(async () => {
    for (const holder of holders.splice(0)) await holder.kill();
    const cluster = join(dataDir, 'postgres', 'cluster');
    if (existsSync(cluster)) await stopPostmaster(realpathSync(cluster));
    rmSync(room, { recursive: true, force: true });
  });

  it('waits for a server as long as it should when the clock of the machine is set meanwhile', async () => {
    const { now } = Date;
    let asked = 0;
    try {
      const held = await within(60, () => {
        Date.now = () => now() + 3_600_000;
        return (asked += 1) === 3;
      });
      expect(held).to.equal(true);
    } finally {
      Date.now = now;
    }
  });

  it('keeps data over a restart, and leaves no process behind', async () => {
    const first = await startWithData();
    expect(first.adopted).to.equal(false);
    expect(await first.stop()).to.equal(0);
    expect(first.postmasterPid()).to.equal(undefined);
    const second = await start();
    expect(second.adopted).to.equal(false);
    await expectData(second);
    expect(await second.stop()).to.equal(0);
    expect(second.postmasterPid()).to.equal(undefined);
  });

  it('listens on 127.0.0.1 below the range of outgoing ports and requires its password', async () => {
    const holder = await start();
    const { port, password, hostname } = new URL(holder.url);
    expect(Number(port)).to.be.within(1024, 32_767);
    expect(hostname).to.equal('127.0.0.1');
    expect(await holder.query('SHOW listen_addresses')).to.deep.equal([{ listen_addresses: '127.0.0.1' }]);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).to.equal(0o600);
    const stranger = new pg.Client({ connectionString: holder.url.replace(password, 'wrong') });
    const refusal = await stranger.connect().catch((error: unknown) => error);
    expect(refusal).to.include({ code: '28P01' });
  });

  itInProofs(
    'takes statistics of a table seconds after its first rows, so that it tells indexes apart',
    async () => {
      const holder = await start();
      await holder.query('CREATE TABLE fresh AS SELECT n FROM generate_series(1, 1000) AS n');
      const taken = `SELECT 1 FROM pg_stat_user_tables
        WHERE relname = 'fresh' AND last_autoanalyze IS NOT NULL`;
      while ((await holder.query(taken)).length === 0) await sleep(100);
      expect(await holder.query('SHOW autovacuum_naptime')).to.deep.equal([{ autovacuum_naptime: '5s' }]);
    },
  );

  it('writes a log that holds no values of failed statements', async () => {
    const holder = await start();
    await holder.query('CREATE TABLE people (email text PRIMARY KEY)');
    await holder.query(`INSERT INTO people VALUES ('someone@example.org')`);
    const repeat = await holder
      .query(`INSERT INTO people VALUES ('someone@example.org')`)
      .catch((error: unknown) => error);
    expect(repeat).to.include({ code: '23505' });
    await holder.stop();
    const log = readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8');
    expect(log).to.contain('ready to accept connections');
    expect(log).not.to.contain('someone@example.org');
  });

  it('is adopted after kill -9 of the service, and stopped by the one that adopted it', async () => {
    const killed = await startWithData();
    await killed.kill();
    expect(killed.postmasterPid()).to.be.a('number');
    const next = await start();
    expect(next.adopted).to.equal(true);
    expect(next.url).to.equal(killed.url);
    await expectData(next);
    await next.stop();
    expect(next.postmasterPid()).to.equal(undefined);
  });

  it('recovers after kill -9 of the service and of the server with a statement under way', async () => {
    const killed = await startWithData();
    const busy = killed.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    await within(0.2, () => false);
    await killed.kill();
    await killed.killPostmaster();
    const next = await start();
    expect(next.adopted).to.equal(false);
    await expectData(next);
    expect(await busy).to.be.an('error');
  });

  it('comes back at the same address when it is killed while a service uses it', async () => {
    const holder = await startWithData();
    await holder.killPostmaster();
    expect(await within(20, () => holder.postmasterPid() !== undefined)).to.equal(true);
    let rows: unknown;
    for (let tries = 0; rows === undefined && tries < 100; tries += 1) {
      await within(0.1, () => false);
      rows = await holder.query('SELECT value FROM kept').catch(() => undefined);
    }
    expect(rows).to.deep.equal([{ value: 42 }]);
    expect(await holder.stop()).to.equal(0);
    expect(holder.postmasterPid()).to.equal(undefined);
  });

  itInProofs(
    'is killed within seconds when it hangs while the service stops, and loses nothing',
    async () => {
      const first = await startWithData();
      process.kill(first.postmasterPid() ?? 0, 'SIGSTOP');
      const begun = performance.now();
      expect(await first.stop()).to.equal(0);
      expect(performance.now() - begun).to.be.below(20_000);
      expect(first.postmasterPid()).to.equal(undefined);
      await expectData(await start());
    },
  );

  it('ignores a pid file whose pid belongs to another process', async () => {
    const killed = await startWithData();
    await killed.kill();
    const pidFile = join(killed.cluster(), 'postmaster.pid');
    const written = readFileSync(pidFile, 'utf8');
    const pid = killed.postmasterPid();
    await killed.killPostmaster();
    const innocent: ChildProcess = spawn('sleep', ['60']);
    try {
      writeFileSync(pidFile, written.replace(String(pid), String(innocent.pid)));
      const next = await start();
      expect(next.adopted).to.equal(false);
      await expectData(next);
      expect(innocent.exitCode).to.equal(null);
    } finally {
      innocent.kill('SIGKILL');
    }
  });

  itInProofs('needs no locale of the system', async () => {
    const holder = await start({ env: { LC_ALL: 'xx_XX.UTF-8', LANG: 'no-such-locale', LC_CTYPE: 'xx' } });
    const [database] = await holder.query(
      `SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding, lower('ÄÖ') AS lower
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(database).to.deep.equal({
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      lower: 'äö',
    });
  });

  itInProofs('ignores PG… variables meant for another PostgreSQL', async () => {
    const env = {
      PGPORT: '1',
      PGHOST: 'nowhere.invalid',
      PGDATA: '/nowhere',
      PGUSER: 'x',
      PGPASSWORD: 'x',
      PGSSLMODE: 'require',
      TZ: 'Nowhere/X',
    };
    const holder = await start({ env });
    expect(holder.adopted).to.equal(false);
  });

  it('is shared by services that start simultaneously and stopped by the last one', async () => {
    const all = await Promise.all([start(), start(), start()]);
    expect(all.map((holder) => holder.adopted).toSorted()).to.deep.equal([false, true, true]);
    expect(new Set(all.map((holder) => holder.url)).size).to.equal(1);
    const starter = all.find((holder) => !holder.adopted);
    const [second, third] = all.filter((holder) => holder.adopted);
    if (starter === undefined || second === undefined || third === undefined)
      throw new Error('three holders');
    await starter.query('CREATE TABLE kept AS SELECT 42 AS value');
    await starter.stop();
    await expectData(second);
    await third.kill();
    await expectData(second);
    await second.stop();
    expect(second.postmasterPid()).to.equal(undefined);
  });

  itInProofs('starts after a start that was killed at any moment', async () => {
    for (const afterMs of [90, 150, 250, 400, 600]) {
      await EmbeddedHolder.startAndKill({ dataDir, systemRoom: join(room, 'system') }, afterMs);
    }
    const holder = await start();
    expect(await holder.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    await holder.stop();
    expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('new-'))).to.deep.equal(
      [],
    );
  });

  it('refuses data of another major version with a clear error', async () => {
    const holder = await start();
    await holder.stop();
    writeFileSync(join(holder.cluster(), 'PG_VERSION'), '16\n');
    const refusal = await start().catch((error: Error) => error.message);
    expect(refusal).to.match(/made by PostgreSQL 16, and this is PostgreSQL \d+/);
  });

  it('refuses a directory that is not its own with a clear error', async () => {
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'precious'), '');
    const refusal = await start().catch((error: Error) => error.message);
    expect(refusal).to.match(/exists, but is no PostgreSQL data directory/);
    expect(existsSync(join(dataDir, 'postgres', 'cluster', 'precious'))).to.equal(true);
  });
});
