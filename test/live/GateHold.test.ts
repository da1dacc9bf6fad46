import { expect } from 'chai';
import { Database } from '../../src/database/Database.js';
import { newId } from '../../src/domain/ids.js';
import type { ServiceError } from '../../src/errors.js';
import { GateHold } from '../../src/graphql/live/GateHold.js';
import type { Topic } from '../../src/live/topic.js';
import { createTestDatabase } from '../support/database.js';
import { pausedClock } from '../support/pausedClock.js';

const LANES = 3;

describe('GateHold', () => {
  let database: Database;
  let drop: () => Promise<void>;

  before(async () => {
    const { serviceUrl, ...made } = await createTestDatabase();
    database = new Database({ url: serviceUrl, poolSize: LANES });
    drop = made.drop;
  });
  after(async () => {
    await database.close();
    await drop();
  });

  it('sends an event of one app while many of another are sent', async () => {
    const hold = new GateHold(database, LANES);
    const [busy, other] = [newTopic(), newTopic()];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begun = 0;
    const events = Array.from({ length: 20 }, () =>
      hold.around(busy, undefined, () => {
        begun += 1;
        return ended;
      }),
    );
    // The events of the busy app end only when that of the other one was sent.
    await hold.around(other, undefined, async () => {
      end();
      expect(begun).to.be.at.most(LANES - 1);
    });
    await Promise.all(events);
    expect(begun).to.equal(20);
  });

  it('sends nothing after a pause in which PostgreSQL may have ended its lock', async () => {
    const hold = new GateHold(database, LANES);
    const pushed: string[] = [];
    const push = (name: string): Promise<void> => Promise.resolve(void pushed.push(name));
    const told = hold.around(newTopic(), undefined, async (flush) => {
      await flush(() => push('before'), nothing);
      const resume = pausedClock(60_000);
      try {
        await flush(() => push('after'), nothing);
      } finally {
        resume();
      }
    });
    expect(await told.catch((error: ServiceError) => error.code)).to.equal('unavailable');
    expect(pushed).to.deep.equal(['before']);
  });

  function nothing(): void {}

  function newTopic(): Topic {
    return { kind: 'profile', appId: newId('app'), id: newId('cus') };
  }
});
