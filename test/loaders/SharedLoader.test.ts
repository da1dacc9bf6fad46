import { expect } from 'chai';
import fc from 'fast-check';
import { SharedLoader } from '../../src/loaders/SharedLoader.js';
import { collectGarbage } from '../support/collectGarbage.js';

interface Statement {
  group: string;
  keys: readonly number[];
  answer: () => void;
  fail: () => void;
}

/** A loader whose statements are answered by hand. */
class Bench {
  readonly sent: Statement[] = [];
  /** What was sent and not answered yet. */
  readonly open: Statement[] = [];
  readonly loader = new SharedLoader<string, number, string>(
    (group) => group,
    (group, keys) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => (): void => {
          this.open.splice(this.open.indexOf(statement), 1);
          settle();
        };
        const statement: Statement = {
          group,
          keys: [...keys],
          answer: end(() => resolve(keys.map((key) => `${group}:${key}`))),
          fail: end(() => reject(new Error(`lost ${keys.join(' ')}`))),
        };
        this.sent.push(statement);
        this.open.push(statement);
      }),
  );
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Answers statements, those yet to be sent included, until the reads have ended. */
async function drained<T>(bench: Bench, reads: Promise<T>): Promise<T> {
  const open = Symbol('open');
  for (;;) {
    bench.open[0]?.answer();
    const state = await Promise.race([reads, settled().then(() => open)]);
    if (state !== open) return reads;
  }
}

describe('SharedLoader', () => {
  const { setTimeout: realSetTimeout } = globalThis;
  afterEach(() => {
    globalThis.setTimeout = realSetTimeout;
  });

  /**
   * Stops timers of 25 ms, which the tests end by hand: on a slow machine that is a few turns. Other timers
   * of the process, which files that ran before may have left, go on.
   *
   * @returns the stopped waits
   */
  function stopTimers(): { end: () => void }[] {
    const waits: { end: () => void }[] = [];
    globalThis.setTimeout = ((end: () => void, ms: number, ...values: unknown[]) =>
      ms === 25
        ? waits.push({ end })
        : (Reflect.apply(realSetTimeout, globalThis, [end, ms, ...values]) as unknown)) as never;
    return waits;
  }

  it('sends the reads of one tick in one statement', async () => {
    const bench = new Bench();
    const both = Promise.all([bench.loader.load('a', 1), bench.loader.load('a', 2)]);
    await settled();
    expect(bench.sent.map(({ keys }) => keys)).to.deep.equal([[1, 2]]);
    bench.open[0]?.answer();
    expect(await both).to.deep.equal(['a:1', 'a:2']);
  });

  it('adds no key to a statement that was sent', async () => {
    const bench = new Bench();
    const early = bench.loader.load('a', 1);
    await settled();
    const late = bench.loader.load('a', 1);
    await settled();
    bench.open[0]?.answer();
    await settled();
    expect(bench.sent).to.have.length(2);
    for (const statement of [...bench.open]) statement.answer();
    expect(await Promise.all([early, late])).to.deep.equal(['a:1', 'a:1']);
  });

  it('caches no answer', async () => {
    const bench = new Bench();
    for (let time = 1; time <= 2; time += 1) {
      const read = bench.loader.load('a', 1);
      await settled();
      bench.open[0]?.answer();
      await read;
      expect(bench.sent).to.have.length(time);
    }
  });

  it('keeps no value of an idle group', async () => {
    const loader = new SharedLoader<string, number, object>(
      (group) => group,
      (_, keys) => Promise.resolve(keys.map((key) => ({ key }))),
    );
    const load = async (): Promise<{ group: unknown; values: WeakRef<object>[] }> => {
      const read = loader.load('a', 1);
      const { active } = loader as unknown as { active: Map<string, unknown> };
      const group = active.get('a');
      await Promise.resolve();
      // It waits for the first, so that it is a batch of its own.
      await new Promise((resolve) => process.nextTick(resolve));
      const later = loader.load('a', 2);
      return { group, values: [new WeakRef(await read), new WeakRef(await later)] };
    };
    const { group, values } = await load();
    await collectGarbage();
    expect(group).to.be.an('object');
    expect(values.map((value) => value.deref())).to.deep.equal([undefined, undefined]);
  });

  it('sends later reads of a group in the next statement and each group separately', async () => {
    stopTimers();
    const bench = new Bench();
    const reads: Promise<string>[] = [];
    for (let key = 0; key < 6; key += 1) {
      reads.push(bench.loader.load('a', key));
      await settled();
    }
    expect(bench.sent.map(({ keys }) => keys)).to.deep.equal([[0]]);
    reads.push(bench.loader.load('b', 1));
    await settled();
    expect(bench.sent.at(-1)).to.include({ group: 'b' });
    bench.open[0]?.answer();
    await settled();
    expect(bench.sent.at(-1)?.keys).to.deep.equal([1, 2, 3, 4, 5]);
    for (const statement of [...bench.open]) statement.answer();
    await Promise.all(reads);
    expect(bench.loader.size).to.equal(0);
  });

  it('runs at most four statements of a group at once', async () => {
    stopTimers();
    const bench = new Bench();
    const reads: Promise<unknown>[] = [bench.loader.load('a', 0)];
    await settled();
    for (let time = 1; time <= 4; time += 1) {
      reads.push(bench.loader.loadMany('a', [1, 2, 3, 4, 5, 6, 7, 8]));
      await settled();
    }
    expect(bench.sent.map(({ keys }) => keys.length)).to.deep.equal([1, 8, 8, 8]);
    bench.open[2]?.answer();
    await settled();
    expect(bench.sent.map(({ keys }) => keys.length)).to.deep.equal([1, 8, 8, 8, 8]);
    await drained(bench, Promise.all(reads));
    expect(bench.sent).to.have.length(5);
  });

  it('counts the keys of a statement that waits behind a full one', async () => {
    stopTimers();
    const bench = new Bench();
    const reads: Promise<unknown>[] = [bench.loader.load('a', 0)];
    await settled();
    for (let time = 1; time <= 3; time += 1) reads.push(bench.loader.loadMany('a', [1, 2, 3, 4, 5, 6, 7, 8]));
    await settled();
    for (let key = 0; key < 101; key += 1) reads.push(bench.loader.load('a', key));
    bench.open[3]?.answer();
    await settled();
    expect(bench.sent.slice(4).map(({ keys }) => keys.length)).to.deep.equal([100]);
    for (let key = 0; key < 7; key += 1) reads.push(bench.loader.load('a', key));
    bench.open[3]?.answer();
    await settled();
    expect(bench.sent.slice(4).map(({ keys }) => keys.length)).to.deep.equal([100, 8]);
    await drained(bench, Promise.all(reads));
  });

  it('delays few keys until all statements of the group have ended', async () => {
    stopTimers();
    const bench = new Bench();
    const reads: Promise<unknown>[] = [bench.loader.load('a', 0)];
    await settled();
    reads.push(bench.loader.loadMany('a', [1, 2, 3, 4, 5, 6, 7, 8]));
    await settled();
    reads.push(bench.loader.loadMany('a', [11, 12, 13, 14, 15, 16, 17]));
    await settled();
    bench.open[0]?.answer();
    await settled();
    expect(bench.sent).to.have.length(2);
    bench.open[0]?.answer();
    await settled();
    expect(bench.sent.at(-1)?.keys).to.deep.equal([11, 12, 13, 14, 15, 16, 17]);
    await drained(bench, Promise.all(reads));
  });

  it('runs several statements at once when there are enough keys', async () => {
    stopTimers();
    const bench = new Bench();
    const reads = Array.from({ length: 40 }, async (_, key) => {
      for (let turn = 0; turn < key; turn += 1) await settled();
      return bench.loader.load('a', key);
    });
    for (let turn = 0; turn < 45; turn += 1) await settled();
    const first = [[0], [1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16]];
    expect(bench.sent.slice(0, 3).map(({ keys }) => keys)).to.deep.equal(first);
    expect(await drained(bench, Promise.all(reads))).to.have.length(40);
    expect(bench.sent.flatMap(({ keys }) => keys)).to.have.members(
      Array.from({ length: 40 }, (_, key) => key),
    );
    expect(bench.sent.length).to.be.lessThan(8);
  });

  it('reads the keys of one request in one statement', async () => {
    const bench = new Bench();
    void bench.loader.load('a', 0);
    await settled();
    const many = bench.loader.loadMany('a', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await settled();
    expect(bench.sent[1]?.keys).to.have.length(10);
    bench.open[1]?.answer();
    expect(await many).to.have.length(10);
  });

  it('sends waiting keys after 25 ms when a statement is slow', async () => {
    const waits = stopTimers();
    const bench = new Bench();
    void bench.loader.load('a', 0);
    await settled();
    for (let time = 1; time <= 5; time += 1) {
      const reads = Promise.all([bench.loader.load('a', 3), bench.loader.load('a', 4)]);
      await settled();
      expect(bench.sent).to.have.length(2 * time - 1);
      waits.at(-1)?.end();
      await settled();
      expect(bench.sent.at(-1)?.keys).to.deep.equal([3, 4]);
      bench.open.at(-1)?.answer();
      expect(await reads).to.deep.equal(['a:3', 'a:4']);
      // One more that hangs.
      void bench.loader.load('a', 5);
      await settled();
      waits.at(-1)?.end();
      await settled();
      expect(bench.sent).to.have.length(2 * time + 1);
    }
  });

  it('reads each key alone after a failed statement so that only the bad key fails', async () => {
    const loader = new SharedLoader<string, number, number>(
      (group) => group,
      (_group, keys) =>
        keys.includes(2) ? Promise.reject(new Error('bad row')) : Promise.resolve([...keys]),
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((key) => loader.load('a', key)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not read a single key again after a failure', async () => {
    const bench = new Bench();
    const outcome = bench.loader.load('a', 1).catch((error: unknown) => (error as Error).message);
    await settled();
    bench.open[0]?.fail();
    expect(await outcome).to.equal('lost 1');
    expect(bench.sent).to.have.length(1);
  });

  it('does not read again after a lost connection', async () => {
    let statements = 0;
    const lost = Object.assign(new Error('gone'), { code: '57P01' });
    const loader = new SharedLoader<string, number, number>(
      (group) => group,
      () => {
        statements += 1;
        return Promise.reject(lost);
      },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((key) => loader.load('a', key)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    expect(statements).to.equal(1);
  });

  it('answers every read once with its own answer or error in any order of events', async () => {
    const step = fc.record({ group: fc.constantFrom('a', 'b'), end: fc.nat(3), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const bench = new Bench();
        const reads = steps.map(async ({ group, end, fails }, key) => {
          for (let turn = 0; turn < key % 7; turn += 1) await settled();
          const before = new Set(bench.sent);
          const outcome = bench.loader.load(group, key).catch((error: unknown) => (error as Error).message);
          await settled();
          for (const statement of bench.open.slice(0, end)) statement[fails ? 'fail' : 'answer']();
          return { group, key, before, outcome };
        });
        const asked = await Promise.all(reads);
        await drained(bench, Promise.all(asked.map(({ outcome }) => outcome)));
        for (const { group, key, before, outcome } of asked) {
          const carriers = bench.sent.filter(({ keys }) => keys.includes(key));
          // Once, and once more by itself where the statement failed that it shared.
          expect(carriers.length).to.be.within(1, 2);
          expect(carriers[1]?.keys ?? [key]).to.deep.equal([key]);
          for (const carrier of carriers) {
            expect(carrier.group).to.equal(group);
            expect(before.has(carrier), 'sent before it was asked for').to.equal(false);
          }
          expect([`${group}:${key}`, `lost ${key}`]).to.include(await outcome);
        }
        expect(bench.loader.size).to.equal(0);
      }),
    );
  });
});
