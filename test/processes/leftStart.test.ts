import { expect } from 'chai';
import type { Environment } from '../../src/config.js';
import { freePort } from '../support/freePort.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';

describe('A start that waits for its database', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    await execute(
      database.ownerUrl,
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations)',
    );
  });

  after(() => database.drop());

  /** The exit code of a start that gets the signal while it waits. */
  async function codeAfter(signal: NodeJS.Signals, databaseUrl: string, env: Environment) {
    const settings = { ROLE: 'gateway', LOG_LEVEL: 'warn', DATABASE_WAIT_SECONDS: '60', ...env };
    const { running } = await ChildService.begin(['dist/src/main.js'], databaseUrl, settings);
    await running.until('waiting for the database');
    return running.end(signal);
  }

  for (const [who, signal, env] of [
    ['a gateway', 'SIGTERM', {}],
    ['a worker', 'SIGINT', { ROLE: 'worker' }],
    ['several processes', 'SIGTERM', { WORKERS: '2' }],
  ] as const)
    it(`ends with 0 at a ${signal} to ${who}`, async () => {
      const nobody = `postgres://nobody@127.0.0.1:${await freePort()}/consent`;
      expect(await codeAfter(signal, nobody, env)).to.equal(0);
    });

  it('ends with 0 while it waits for migrations', async () => {
    expect(await codeAfter('SIGTERM', database.ownerUrl, { MIGRATIONS: 'wait' })).to.equal(0);
  });
});
