import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/Database.js';
import { QueueWorker } from '../../src/jobs/QueueWorker.js';
import type { WorkOutcome } from '../../src/jobs/QueueWorker.js';
import type { Services } from '../../src/Services.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const APPS = [...Array.from({ length: 8 }, () => 'app_one'), 'app_two', 'app_two', 'app_three'];

describe('QueueWorker', () => {
  it('limits the subjects of one app that it works on and works on other apps meanwhile', async () => {
    let waiting = APPS.map((app_id, at) => ({ app_id, subject: `subject_${at}` }));
    const services = {
      database: { isDistributed: async () => false, read: async () => waiting },
      clock: () => new Date(),
    } as unknown as Services;
    const running: string[] = [];
    const highest = new Map<string, number>();
    const ends: (() => void)[] = [];
    const worker = new QueueWorker(services, {
      queue: 'customer',
      concurrency: 4,
      perApp: 2,
      pollMs: 5,
      work: async (_services, appId, subject) => {
        running.push(appId);
        const now = running.filter((app) => app === appId).length;
        highest.set(appId, Math.max(now, highest.get(appId) ?? 0));
        expect(running).to.have.length.at.most(4);
        await new Promise<void>((end) => ends.push(end));
        running.splice(running.indexOf(appId), 1);
        waiting = waiting.filter((task) => task.subject !== subject);
      },
    });
    worker.start();
    while (running.length < 4) await sleep(1);
    while (waiting.length > 0) {
      ends.shift()?.();
      await sleep(1);
    }
    await worker.stop();
    expect([...highest.keys()].toSorted()).to.deep.equal(['app_one', 'app_three', 'app_two']);
    expect(highest.get('app_one')).to.equal(2);
  });

  describe('while the database takes no writes', () => {
    const refusal = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), {
      code: '25006',
    });
    let messages: string[];
    let isReadOnly: (subject: string) => boolean;
    let worked: string[];
    let refused: number;
    let worker: QueueWorker;

    const start = (isDistributed: boolean): void => {
      messages = [];
      worked = [];
      refused = 0;
      const say = (_: object, message: string): unknown => messages.push(message);
      const services = {
        database: {
          isDistributed: async () => isDistributed,
          read: async () =>
            Array.from({ length: 200 }, (_, at) => ({
              app_id: `app_${at % 7}`,
              subject: `cus_${at}`,
            })).filter(({ subject }) => !worked.includes(subject)),
        },
        clock: () => new Date(),
        log: { error: say, warn: say, info: say },
      } as unknown as Services;
      worker = new QueueWorker(services, {
        queue: 'customer',
        concurrency: 4,
        perApp: 2,
        pollMs: 5,
        work: async (_services, _appId, subject) => {
          await sleep(1);
          if (isReadOnly(subject)) {
            refused += 1;
            throw refusal;
          }
          worked.push(subject);
        },
      });
      worker.start();
    };
    afterEach(() => worker.stop());

    it('rests as a whole, says so once, tries one subject at a time, and then goes on', async () => {
      isReadOnly = () => true;
      start(false);
      await sleep(1800);
      // All four places at first; then one after half a second and one after another second.
      expect(refused).to.be.within(2, 6);
      expect(messages).to.deep.equal(['the database takes no writes: work rests until it does']);
      isReadOnly = () => false;
      while (worked.length < 200) await sleep(5);
      expect(messages.slice(1)).to.deep.equal(['the database takes writes again']);
    });

    it('works on what other nodes of a cluster have, if one node takes none', async () => {
      isReadOnly = (subject) => subject.endsWith('7');
      start(true);
      while (worked.length < 180) await sleep(5);
    });
  });

  describe('beside an app with a long queue', () => {
    let test: TestDatabase;
    let database: Database;

    before(async () => {
      test = await createTestDatabase();
      database = new Database({ url: test.serviceUrl, poolSize: 4 });
    });
    beforeEach(() => test.sql('DELETE FROM work_queue'));
    after(async () => {
      await database.close();
      await test.drop();
    });

    const queue = (app: string, count: number, secondsAgo: number): Promise<unknown> =>
      test.sql(
        `INSERT INTO work_queue (app_id, queue, subject, ready_at)
         SELECT $1, 'customer', 'cus_' || n, now() - make_interval(secs => $3)
           FROM generate_series(1, $2::integer) AS n`,
        [app, count, secondsAgo],
      );

    const workerOf = (work: (appId: string, subject: string) => Promise<WorkOutcome>): QueueWorker => {
      const services = { database, clock: () => new Date() } as unknown as Services;
      return new QueueWorker(services, {
        queue: 'customer',
        concurrency: 4,
        perApp: 2,
        pollMs: 5,
        work: (_services, appId, subject) => work(appId, subject),
      });
    };

    /** Works on what waits until so many subjects are done. The apps of all that were done, in order. */
    const appsOfFirst = async (count: number): Promise<string[]> => {
      const worked: string[] = [];
      const worker = workerOf(async (appId, subject) => {
        worked.push(appId);
        await test.sql('DELETE FROM work_queue WHERE app_id = $1 AND subject = $2', [appId, subject]);
        return 'done';
      });
      worker.start();
      while (worked.length < count) await sleep(5);
      await worker.stop();
      return worked;
    };

    it('works on each app in turn', async () => {
      await queue('app_long', 1000, 60);
      await queue('app_other', 600, 30);
      await queue('app_a', 1, 0);
      await queue('app_z', 1, 0);
      const worked = await appsOfFirst(300);
      const first = worked.slice(0, 100);
      expect(first).to.include('app_a');
      expect(first).to.include('app_z');
      expect(first.filter((app) => app === 'app_other')).to.have.length.above(10);
    });

    it('begins work of each app before more work of the same one, whatever waits', async () => {
      for (const app of ['app_long', 'app_other']) await queue(app, 90, 60);
      for (const app of ['app_a', 'app_b', 'app_x', 'app_y', 'app_z']) await queue(app, 1, 0);
      const worked = await appsOfFirst(60);
      expect(worked.slice(0, 60)).to.include.members(['app_a', 'app_b', 'app_x', 'app_y', 'app_z']);
    });

    it('leaves subjects whose work does not end', async () => {
      for (const app of ['app_long', 'app_other']) await queue(app, 2, 60);
      await queue('app_z', 1, 0);
      const worked = new Set<string>();
      const worker = workerOf(async (appId) => {
        await sleep(20);
        worked.add(appId);
        return worked.has('app_z') ? 'done' : 'more';
      });
      worker.start();
      while (!worked.has('app_z')) await sleep(5);
      await worker.stop();
    });
  });
});
