import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../../support/ChildService.js';
import { itInProofs } from '../../support/itInProofs.js';
import { TestService } from '../../support/TestService.js';

const PERSONALIZATION = 1;

describe('Runs of learning that take long', () => {
  let service: TestService;
  let owner: pg.Client;
  let worker: ChildService;

  beforeEach(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    worker = await ChildService.start(service.database.ownerUrl, { ROLE: 'worker', DRAIN_MS: '1' });
  });
  afterEach(async () => {
    await owner.end();
    await worker.kill();
    await service.stop();
  });

  async function enqueue(appId: string, subject: string): Promise<void> {
    const columns = '(app_id, queue, subject, ready_at)';
    const text = `INSERT INTO work_queue ${columns} VALUES ($1, 'learning', $2, now())`;
    await service.sql(text, [appId, subject]);
  }

  async function until(condition: string, values: unknown[]): Promise<void> {
    const text = `SELECT FROM work_queue WHERE queue = 'learning' AND ${condition}`;
    while ((await service.sql(text, values)).length === 0) await new Promise((wake) => setTimeout(wake, 20));
  }

  /** Runs of so many apps, which do not end before the owner's transaction. */
  async function holdRuns(count: number): Promise<void> {
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE claims IN ACCESS EXCLUSIVE MODE');
    for (let made = 0; made < count; made += 1) {
      const { appId } = await service.makeApp();
      await enqueue(appId, `${PERSONALIZATION}/run`);
      await until(`app_id = $1 AND ready_at > now() + interval '1 minute'`, [appId]);
    }
  }

  it('hold up no requests of other apps', async () => {
    await holdRuns(2);
    const { appId } = await service.makeApp();
    await enqueue(appId, String(PERSONALIZATION));
    await until('app_id = $1 AND subject = $2', [appId, `${PERSONALIZATION}/run`]);
    await owner.query('ROLLBACK');
  });

  itInProofs('do not keep the process from stopping', async () => {
    await holdRuns(1);
    expect(await worker.running.end('SIGTERM')).to.equal(0);
    await owner.query('ROLLBACK');
  });
});
