import { expect } from 'chai';
import { DatabaseClock } from '../../src/database/DatabaseClock.js';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');

describe('The clock of the database', () => {
  let monotonicMs: number;
  /** The way to the database and the way back, in milliseconds; of the first reading, where it differs. */
  let ways: [number, number];
  let first: [number, number] | undefined;
  let databaseAheadMs: number;
  let reads: number;
  let isAway: boolean;

  const database = {
    read: <T extends object>(): Promise<T[]> => {
      if (isAway) return Promise.reject(new Error('The database is away.'));
      const [there, back] = (reads === 0 ? first : undefined) ?? ways;
      reads += 1;
      monotonicMs += there;
      const now = new Date(monotonicMs + databaseAheadMs).toISOString();
      monotonicMs += back;
      return Promise.resolve([{ now }] as unknown as T[]);
    },
  };

  beforeEach(() => {
    [monotonicMs, ways, databaseAheadMs] = [1_000_000, [4, 4], NOON - 1_000_000];
    [reads, isAway, first] = [0, false, undefined];
    performance.now = () => monotonicMs;
  });
  afterEach(() => {
    Reflect.deleteProperty(performance, 'now');
  });

  const offMs = (clock: DatabaseClock): number => clock.now().getTime() - (monotonicMs + databaseAheadMs);

  it('goes on by the monotonic clock, whatever the clock of the machine shows', async () => {
    const clock = await DatabaseClock.read(database);
    const started = monotonicMs;
    monotonicMs += 60_000;
    expect(clock.now().getTime()).to.equal(started + databaseAheadMs + 60_000);
  });

  it('is not put off by the time that a connection takes to open', async () => {
    first = [200, 4];
    expect(offMs(await DatabaseClock.read(database))).to.equal(0);
  });

  it('is off by no more than half the way there and back', async () => {
    ways = [300, 0];
    expect(offMs(await DatabaseClock.read(database))).to.equal(150);
    ways = [0, 300];
    expect(offMs(await DatabaseClock.read(database))).to.equal(-150);
  });

  it('follows a database that is set to another time or gives way to another', async () => {
    const clock = await DatabaseClock.read(database);
    databaseAheadMs -= 3_600_000;
    await clock.correct();
    expect(offMs(clock)).to.equal(0);
  });

  it('keeps its time where the way there and back explains the difference', async () => {
    const clock = await DatabaseClock.read(database);
    ways = [5000, 0];
    await clock.correct();
    expect(offMs(clock)).to.equal(0);
  });

  it('keeps its time when the database is away', async () => {
    const clock = await DatabaseClock.read(database);
    isAway = true;
    const failed = await clock.correct().catch((error: Error) => error.message);
    expect(failed).to.equal('The database is away.');
    expect(offMs(clock)).to.equal(0);
  });
});
