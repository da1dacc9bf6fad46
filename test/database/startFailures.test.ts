import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startService } from '../../src/app.js';
import { ConfigError, configFrom } from '../../src/config.js';
import { StartFailure } from '../../src/database/StartFailure.js';
import type { Environment } from '../../src/config.js';
import { freePort } from '../support/freePort.js';
import { reachDatabase } from '../../src/database/reachDatabase.js';
import { serviceLogin } from '../../src/database/serviceLogin.js';
import { createTestDatabase, TEST_SECRETS_KEY } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';

const SECRETS = { ADMIN_KEYS: 'test-admin-key-0123456789', SECRETS_KEY: TEST_SECRETS_KEY };

async function failureOf(env: Environment): Promise<string> {
  const config = configFrom({ NODE_ENV: 'test', PORT: '0', DATABASE_WAIT_SECONDS: '0', ...SECRETS, ...env });
  const started = await startService(config).catch((error: unknown) => error);
  // Anything else is told with a stack (src/main.ts).
  if (started instanceof Error)
    return started instanceof StartFailure || started instanceof ConfigError || 'code' in started
      ? started.message
      : `not told in a sentence: ${started.message}`;
  await (started as { stop(): Promise<void> }).stop();
  return 'it started';
}

describe('A start that fails', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });

  after(() => database.drop());

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(database.ownerUrl);
    change(url);
    return url.href;
  };

  it('names the address where no database answers and not the password', async () => {
    const port = await freePort();
    const message = await failureOf({
      DATABASE_URL: `postgresql://somebody:hunter2@127.0.0.1:${port}/consent`,
    });
    expect(message).to.include('DATABASE_URL').and.include(`127.0.0.1:${port}`).and.not.include('hunter2');
  });

  it('reports a database that does not exist', async () => {
    const message = await failureOf({ DATABASE_URL: changed((url) => (url.pathname = '/no_such_database')) });
    expect(message).to.match(/^DATABASE_URL: there is no database no_such_database/);
  });

  it('reports a server that takes no writes', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await execute(database.ownerUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    try {
      expect(await failureOf({ DATABASE_URL: database.ownerUrl })).to.match(
        /^DATABASE_URL: PostgreSQL at .* takes no writes: .* default_transaction_read_only/,
      );
    } finally {
      await execute(
        database.ownerUrl,
        `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
      );
    }
  });

  it('reports a password that is wrong, empty or missing in one sentence', async () => {
    for (const password of ['wrong', '']) {
      const message = await failureOf({ DATABASE_URL: changed((url) => (url.password = password)) });
      expect(message).to.match(
        /^DATABASE_URL: PostgreSQL at .* refuses the user .*: check .* the password\.$/,
      );
    }
  });

  it('reports another SECRETS_KEY', async () => {
    const first = configFrom({ NODE_ENV: 'test', PORT: '0', DATABASE_URL: database.ownerUrl, ...SECRETS });
    await (await startService(first)).stop();
    const message = await failureOf({ DATABASE_URL: database.ownerUrl, SECRETS_KEY: 'another'.repeat(8) });
    expect(message).to.match(/^SECRETS_KEY: .* another SECRETS_KEY/);
  });

  it('makes no database login for a SECRETS_KEY that it refuses', async () => {
    const [former, other] = ['former', 'another'].map((name) => name.padEnd(32, '.')) as [string, string];
    const loginOf = (key: string) => serviceLogin(key, new URL(database.ownerUrl).pathname.slice(1)).login;
    const start = (keys: string) => failureOf({ DATABASE_URL: database.ownerUrl, SECRETS_KEY: keys });
    expect(await start(TEST_SECRETS_KEY)).to.equal('it started');
    expect(await start(`${former},${TEST_SECRETS_KEY}`)).to.equal('it started');
    // What turning SECRETS_KEY ends with: the key opens nothing, and its login was dropped.
    await execute(database.ownerUrl, `DROP ROLE ${loginOf(former)}`);
    for (const keys of [former, other, `${other},${former}`])
      expect(await start(keys), keys).to.match(/^SECRETS_KEY: .* another SECRETS_KEY/);
    const roles = await execute<{ name: string }>(
      database.ownerUrl,
      'SELECT rolname::text AS name FROM pg_roles',
    );
    expect(roles.map(({ name }) => name))
      .to.include(loginOf(TEST_SECRETS_KEY))
      .and.not.include.oneOf([loginOf(former), loginOf(other)]);
  });

  it('starts as a role that creates roles and may not read the keys', async () => {
    const name = `creator_${process.pid}`;
    const url = changed((own) => ([own.username, own.password] = [name, 'of-the-creator']));
    await execute(
      database.ownerUrl,
      `CREATE ROLE ${name} LOGIN CREATEROLE NOINHERIT PASSWORD 'of-the-creator';
       GRANT consent_service TO ${name} WITH ADMIN OPTION;
       GRANT SELECT ON schema_migrations TO ${name}`,
    );
    const key = `of ${name}`.padEnd(32, '.');
    const env = { DATABASE_URL: url, MIGRATIONS: 'wait', SECRETS_KEY: `${key},${TEST_SECRETS_KEY}` };
    expect(await failureOf(env)).to.equal('it started');
    await execute(
      database.ownerUrl,
      `DROP ROLE ${serviceLogin(key, new URL(url).pathname.slice(1)).login};
       REVOKE consent_service FROM ${name}; DROP OWNED BY ${name}; DROP ROLE ${name}`,
    );
  });

  it('starts whatever the style in which the server writes times', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await execute(database.ownerUrl, `ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
    expect(await failureOf({ DATABASE_URL: database.ownerUrl })).to.equal('it started');
    await execute(database.ownerUrl, `ALTER DATABASE ${name} RESET datestyle`);
  });

  it('names the style of times of a role that is used itself', async () => {
    const name = `plain_${process.pid}`;
    const url = changed((own) => ([own.username, own.password] = [name, 'of-the-plain']));
    await execute(
      database.ownerUrl,
      `CREATE ROLE ${name} LOGIN PASSWORD 'of-the-plain' IN ROLE consent_service;
       ALTER ROLE ${name} SET datestyle = 'SQL, DMY'; GRANT SELECT ON schema_migrations TO ${name}`,
    );
    const env = { DATABASE_URL: url, MIGRATIONS: 'wait' };
    expect(await failureOf(env)).to.match(/^The role of DATABASE_URL .* SQL, DMY: ALTER ROLE/);
    await execute(database.ownerUrl, `ALTER ROLE ${name} RESET datestyle`);
    expect(await failureOf(env)).to.equal('it started');
    await execute(database.ownerUrl, `DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });

  it('reports a port in use before it creates a database', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'start-'));
    try {
      const { port } = holder.address() as AddressInfo;
      const message = await failureOf({ PORT: `${port}`, DATA_DIR: join(folder, 'data') });
      expect(message).to.include('EADDRINUSE');
      expect(existsSync(join(folder, 'data/postgres'))).to.equal(false);
    } finally {
      holder.close();
      await rm(folder, { recursive: true });
    }
  });

  it('names the setting of an unusable file or folder before it creates a database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-'));
    try {
      const [noJson, none, data] = ['no.json', 'none.json', 'data'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await writeFile(noJson, 'export A=1');
      const wrong: Environment[] = [
        ...['ATTRIBUTES_FILE', 'INTENTS_FILE', 'TRUSTED_DOCUMENTS'].flatMap((setting) => [
          { [setting]: none },
          { [setting]: noJson },
        ]),
        { REVOCATION_JOURNAL: join(noJson, 'journal') },
        { REVOCATION_JOURNAL: '/proc/none/journal' },
        { CHECKPOINT_DIR: join(noJson, 'checkpoints'), CHECKPOINT_KEY: 'k'.repeat(32) },
      ];
      for (const env of wrong) {
        const [setting = ''] = Object.keys(env);
        const message = await failureOf({ DATA_DIR: data, ...env });
        expect(message, setting).to.match(new RegExp(`^The configuration is not valid:\n  - ${setting}: `));
        expect(message.split('\n'), message).to.have.lengthOf(2);
      }
      expect(existsSync(join(data, 'postgres'))).to.equal(false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names each member of INTENTS_FILE that it cannot take', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-'));
    try {
      const file = join(folder, 'intents.json');
      const env = { DATABASE_URL: database.ownerUrl, INTENTS_FILE: file };
      await writeFile(file, '{"type": {}, "halfLifeDays": {"habit": -60}, "habit": {"days": "four"}}');
      const message = await failureOf(env);
      expect(message).to.match(/^The configuration is not valid:\n  - INTENTS_FILE: /);
      for (const member of ['type', 'halfLifeDays.habit', 'habit.days'])
        expect(message).to.match(new RegExp(`^  - ${member} (?:is not known|must be a )`, 'm'));
      const [shown = ''] = /\{"types":.*\}(?=`)/.exec(await readFile('docs/operations.md', 'utf8')) ?? [];
      await writeFile(file, shown);
      expect(await failureOf(env)).to.equal('it started');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses a database that a newer version migrated unless NEWER_SCHEMA allows it', async () => {
    const newer = await createTestDatabase();
    const owner = new pg.Client({ connectionString: newer.ownerUrl });
    await owner.connect();
    try {
      await owner.query(
        `INSERT INTO schema_migrations ("timestamp", name) VALUES (9999999999999, 'FromTheFuture9')`,
      );
      expect(await failureOf({ DATABASE_URL: newer.ownerUrl })).to.include('FromTheFuture9');
      expect(await failureOf({ DATABASE_URL: newer.ownerUrl, NEWER_SCHEMA: 'allow' })).to.equal('it started');
    } finally {
      await owner.end();
      await newer.drop();
    }
  });

  it('waits for migrations with MIGRATIONS=wait and reports those that are missing', async () => {
    const older = await createTestDatabase();
    const owner = new pg.Client({ connectionString: older.ownerUrl });
    await owner.connect();
    try {
      const { rows } = await owner.query<{ name: string }>(
        `DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING *`,
      );
      const env = { DATABASE_URL: older.ownerUrl, MIGRATIONS: 'wait' };
      expect(await failureOf(env)).to.match(/lacks 1 migrations.*npm run migrate/);
      const waiting = failureOf({ ...env, DATABASE_WAIT_SECONDS: '30' });
      const [row = { name: '' }] = rows;
      const names = Object.keys(row).map((name) => `"${name}"`);
      const places = names.map((_, index) => `$${index + 1}`);
      await owner.query(`INSERT INTO schema_migrations (${names}) VALUES (${places})`, Object.values(row));
      expect(await waiting).to.equal('it started');
    } finally {
      await owner.end();
      await older.drop();
    }
  });

  it('tries again while the database is starting', async () => {
    const port = await freePort();
    const reasons: string[] = [];
    const target = new URL(database.ownerUrl);
    const reached = reachDatabase(
      changed((url) => (url.port = `${port}`)),
      'DATABASE_URL',
      {
        waitMs: 30_000,
        onWait: (reason) => void reasons.push(reason),
      },
    );
    const { createConnection } = await import('node:net');
    const relay = createServer((socket) => {
      const onward = createConnection(Number(target.port), target.hostname);
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => void relay.listen(port, '127.0.0.1', resolve));
    await reached;
    relay.close();
    expect(reasons.length).to.be.at.most(1);
  });
});
