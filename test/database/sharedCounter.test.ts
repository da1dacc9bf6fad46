import { expect } from 'chai';
import { Database } from '../../src/database/Database.js';
import { SharedCounter } from '../../src/database/SharedCounter.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const WINDOW_SECONDS = 600;

describe('Counts that nodes share', () => {
  let test: TestDatabase;
  let database: Database;
  let counter: SharedCounter;

  before(async () => {
    test = await createTestDatabase();
    database = new Database({ url: test.serviceUrl, poolSize: 4 });
    counter = new SharedCounter(database, { name: 'tries', windowSeconds: WINDOW_SECONDS });
  });
  after(async () => {
    await database.close();
    await test.drop();
  });
  beforeEach(() => database.query('DELETE FROM throttles'));

  /** Moves the end of the window, as the clock by which it began would have. */
  const shift = (seconds: number): Promise<unknown> =>
    database.query('UPDATE throttles SET expire = expire + $1::bigint * 1000', [seconds]);

  const pointsOf = async (subject: string): Promise<number | undefined> =>
    (await counter.read(subject))?.points;

  it('add up within their window, each subject and rule by itself', async () => {
    const other = new SharedCounter(database, { name: 'others', windowSeconds: 1 });
    expect(await pointsOf('one')).to.equal(undefined);
    const { points, leftMs } = await counter.add('one', 2);
    expect(points).to.equal(2);
    expect(leftMs).to.be.within(WINDOW_SECONDS * 1000 - 60_000, WINDOW_SECONDS * 1000);
    await Promise.all([
      counter.add('one', 1),
      counter.add('one', 1),
      counter.add('two', 1),
      other.add('one', 1),
    ]);
    expect((await counter.add('one', -1)).points).to.equal(3);
    expect([await pointsOf('one'), await pointsOf('two')]).to.deep.equal([3, 1]);
    await counter.forget('one');
    expect([await pointsOf('one'), await pointsOf('two')]).to.deep.equal([undefined, 1]);
  });

  it('begin anew when the window has ended', async () => {
    await counter.add('one', 5);
    await shift(-WINDOW_SECONDS);
    expect(await pointsOf('one')).to.equal(undefined);
    expect((await counter.add('one', 1)).points).to.equal(1);
  });

  it('begin anew where the window lies ahead, as of a clock that was set back', async () => {
    await counter.add('one', 5);
    await shift(WINDOW_SECONDS / 2);
    expect((await counter.add('one', 1)).points, 'of who began a little later').to.equal(6);
    await shift(3600);
    expect(await pointsOf('one')).to.equal(undefined);
    const { points, leftMs } = await counter.add('one', 1);
    expect(points).to.equal(1);
    expect(leftMs).to.be.at.most(WINDOW_SECONDS * 1000);
  });

  it('do not heed the clock of a node', async () => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      await counter.add('one', 1);
    } finally {
      Date.now = now;
    }
    expect((await counter.add('one', 1)).points).to.equal(2);
    await shift(-WINDOW_SECONDS);
    expect((await counter.add('one', 1)).points).to.equal(1);
  });
});
