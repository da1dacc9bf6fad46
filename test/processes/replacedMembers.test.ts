import { execFileSync, spawn } from 'node:child_process';
import { expect } from 'chai';
import { freePort } from '../../src/database/embedded/freePort.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';
import { Running } from '../support/Running.js';
import { testEnvironment } from '../support/TestService.js';

describe('Several processes whose database a newer version has migrated', () => {
  let database: TestDatabase;
  let running: Running;

  before(async () => {
    database = await createTestDatabase();
    const { PATH, HOME } = process.env;
    const settings = { WORKERS: '2', LOG_LEVEL: 'warn' };
    const env = { PATH, HOME, ...testEnvironment(await freePort(), database.ownerUrl, settings) };
    running = new Running(
      spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    await running.until('is ready at');
    await execute(
      database.ownerUrl,
      `INSERT INTO schema_migrations ("timestamp", name) VALUES (9999999999999, 'FromTheFuture9')`,
    );
  });

  after(async () => {
    await running.end('SIGKILL');
    await database.drop();
  });

  function members(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return rows.filter(([, parent]) => parent === running.child.pid).map(([pid = 0]) => pid);
  }

  it('are replaced when they die, also when a replacement does', async () => {
    const killed = new Set<number>();
    for (let times = 1; times <= 5; times += 1) {
      const victim = members().find((pid) => !killed.has(pid)) ?? 0;
      killed.add(victim);
      process.kill(victim, 'SIGKILL');
      while (running.output.split('was replaced').length <= times) {
        expect(running.output).to.not.include('FromTheFuture9');
        await new Promise((wake) => setTimeout(wake, 50));
      }
    }
    expect(members()).to.have.length(3);
  });
});
