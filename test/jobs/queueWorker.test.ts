import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueWorker } from '../../src/jobs/QueueWorker.js';
import type { Services } from '../../src/Services.js';

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
        return false;
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
});
