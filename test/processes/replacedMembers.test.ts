import { expect } from 'chai';
import { childrenOf } from '../support/childrenOf.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { execute } from '../support/execute.js';
import { itInProofs } from '../support/itInProofs.js';
import type { Running } from '../support/Running.js';

describe('Several processes whose database a newer version has migrated', () => {
  let database: TestDatabase;
  let running: Running;

  before(async () => {
    database = await createTestDatabase();
    ({ running } = await ChildService.start(database.ownerUrl, { WORKERS: '2', LOG_LEVEL: 'warn' }));
    await execute(
      database.ownerUrl,
      `INSERT INTO schema_migrations ("timestamp", name) VALUES (9999999999999, 'FromTheFuture9')`,
    );
  });

  after(async () => {
    await running.end('SIGKILL');
    await database.drop();
  });

  itInProofs('are replaced when they die, also when a replacement does', async () => {
    const killed = new Set<number>();
    for (let times = 1; times <= 5; times += 1) {
      const victim = childrenOf(running.child.pid).find((pid) => !killed.has(pid));
      if (victim === undefined) throw new Error('No member is left that was not killed.');
      killed.add(victim);
      process.kill(victim, 'SIGKILL');
      while (running.output.split('was replaced').length <= times) {
        expect(running.output).to.not.include('FromTheFuture9');
        await new Promise((wake) => setTimeout(wake, 50));
      }
    }
    expect(childrenOf(running.child.pid)).to.have.length(3);
  });
});
