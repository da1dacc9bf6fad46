import { expect } from 'chai';
import { Registry } from 'prom-client';
import { ReplayStorage } from '../../src/access/ReplayStorage.js';
import type { Count } from '../../src/database/SharedCounter.js';
import { ServiceError } from '../../src/errors.js';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const FORGOTTEN_FROM = 10_001;

/** What all processes see of the kilobytes that were told. */
class Counter {
  readonly counts = new Map<string, Count>();
  readonly told: [appId: string, kilobytes: number][] = [];
  reads = 0;
  /** Milliseconds until the day of what is counted first ends. */
  leftMs = DAY_MS;
  /** What answers wait for. */
  held: Promise<unknown> = Promise.resolve();

  read(appId: string): Promise<Count | undefined> {
    this.reads += 1;
    return Promise.resolve(this.counts.get(appId));
  }

  async add(appId: string, kilobytes: number): Promise<Count> {
    await this.held;
    this.told.push([appId, kilobytes]);
    const { points } = this.counts.get(appId) ?? { points: 0 };
    const count = { points: points + kilobytes, leftMs: this.leftMs };
    this.counts.set(appId, count);
    return count;
  }
}

describe('the storage of answers kept for replay', () => {
  let counter: Counter;
  let registry: Registry;
  let now: number;

  beforeEach(() => {
    [counter, registry, now] = [new Counter(), new Registry(), 1_000_000];
    performance.now = () => now;
  });
  afterEach(() => {
    Reflect.deleteProperty(performance, 'now');
  });

  const storageOf = (metrics = registry): ReplayStorage =>
    new ReplayStorage({ replayStorageMb: 1 }, metrics, (rule) => {
      expect(rule).to.deep.equal({ name: 'replay_storage', windowSeconds: 24 * 60 * 60 });
      return counter;
    });

  async function refusalOf(storage: ReplayStorage, appId = 'a'): Promise<ServiceError | undefined> {
    const failed: unknown = await storage.admit(appId).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failed !== undefined) expect(failed).to.be.instanceOf(ServiceError);
    return failed as ServiceError | undefined;
  }

  const metric = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

  it('is bounded for each app, including what is not yet written', async () => {
    const storage = storageOf();
    storage.keep('a', MEGABYTE - 1000);
    storage.keep('a', 1000);
    expect(await refusalOf(storage), 'just full').to.equal(undefined);
    storage.keep('a', 1);
    const refused = await refusalOf(storage);
    expect([refused?.code, refused?.message]).to.deep.equal([
      'rate_limited',
      "The app's answers of the day fill the storage for replays.",
    ]);
    expect(await refusalOf(storage, 'b')).to.equal(undefined);
    expect(await metric('idempotency_stored_bytes_total')).to.equal(MEGABYTE + 1);
    expect(await metric('idempotency_storage_refused_total')).to.equal(1);
  });

  it('is written in whole kilobytes, and the remainder later', async () => {
    const storage = storageOf();
    storage.keep('a', 1023);
    await storage.tell();
    expect(counter.told).to.deep.equal([]);
    storage.keep('a', 1000);
    storage.keep('b', 2048);
    await storage.tell();
    await storage.tell();
    expect(counter.told).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    storage.keep('a', 25);
    await storage.tell();
    expect(counter.told.at(-1)).to.deep.equal(['a', 1]);
    const { untold } = storage as unknown as { untold: Map<string, number> };
    expect(untold.size, 'what was told is kept no longer').to.equal(0);
  });

  it('is written once if two writes start at once, and later amounts are written next', async () => {
    const storage = storageOf();
    storage.keep('a', 3 * 1024);
    let release: (value?: unknown) => void = () => undefined;
    counter.held = new Promise((resolve) => (release = resolve));
    const telling = [storage.tell(), storage.tell()];
    await Promise.resolve();
    storage.keep('a', 1024);
    release();
    await Promise.all(telling);
    await storage.tell();
    expect(counter.told).to.deep.equal([
      ['a', 3],
      ['a', 1],
    ]);
  });

  it('is written by a timer', async () => {
    const storage = storageOf();
    for (const expected of [1, 2]) {
      storage.keep('a', 1024);
      while (counter.told.length < expected) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(counter.told).to.deep.equal([
      ['a', 1],
      ['a', 1],
    ]);
  });

  it('is kept if a write fails, and written later', async () => {
    const storage = storageOf();
    storage.keep('a', 2 * MEGABYTE);
    counter.held = Promise.reject(new Error('The database is away.'));
    await storage.tell();
    expect(counter.told).to.deep.equal([]);
    expect((await refusalOf(storage))?.code).to.equal('rate_limited');
    counter.held = Promise.resolve();
    await storage.tell();
    expect(counter.told).to.deep.equal([['a', 2048]]);
    expect((await refusalOf(storage))?.code).to.equal('rate_limited');
    expect(counter.reads, 'what was told is known').to.equal(1);
  });

  it('is counted over all processes within five seconds', async () => {
    const [here, there] = [storageOf(), storageOf(new Registry())];
    expect(await refusalOf(here)).to.equal(undefined);
    there.keep('a', 2 * MEGABYTE);
    await there.tell();
    now += 5000;
    expect(await refusalOf(here)).to.equal(undefined);
    expect(counter.reads).to.equal(1);
    now += 1;
    expect((await refusalOf(here))?.code).to.equal('rate_limited');
    expect(counter.reads).to.equal(2);
  });

  it('tells when the day ends, and is zero from then on', async () => {
    const storage = storageOf();
    storage.keep('a', 2 * MEGABYTE);
    expect((await refusalOf(storage))?.facts.retryAfterSeconds, 'nobody counts yet').to.equal(DAY_MS / 1000);
    counter.leftMs = 3500;
    await storage.tell();
    expect((await refusalOf(storage))?.facts.retryAfterSeconds).to.equal(4);
    now += 3499;
    expect((await refusalOf(storage))?.facts.retryAfterSeconds).to.equal(1);
    counter.counts.clear();
    now += 2;
    expect(await refusalOf(storage)).to.equal(undefined);
    counter.counts.set('b', { points: 2000, leftMs: 0 });
    expect((await refusalOf(storage, 'b'))?.facts.retryAfterSeconds, 'one at least').to.equal(1);
  });

  it('drops the least recently used app beyond 10,000', async () => {
    const storage = storageOf();
    await storage.admit('app_0');
    await storage.admit('app_1');
    now += 5001;
    // The first is asked for again: the second is the oldest now.
    await storage.admit('app_0');
    for (let index = 2; index < FORGOTTEN_FROM - 1; index += 1) await storage.admit(`app_${index}`);
    const { reads } = counter;
    await storage.admit('app_1');
    expect(counter.reads, 'ten thousand are remembered, but that was too long ago').to.equal(reads + 1);
    await storage.admit('app_0');
    expect(counter.reads).to.equal(reads + 1);
    await storage.admit('one_more');
    await storage.admit('app_0');
    expect(counter.reads).to.equal(reads + 2);
    await storage.admit('app_2');
    expect(counter.reads, 'the oldest was forgotten').to.equal(reads + 3);
  });
});
