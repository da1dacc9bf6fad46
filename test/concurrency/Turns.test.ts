import { expect } from 'chai';
import fc from 'fast-check';
import { Turns } from '../../src/concurrency/Turns.js';
import { ServiceError } from '../../src/errors.js';

/** Work that ends when it is told to, and what began in which order. */
class Work {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  of(name: string) {
    return (): Promise<string> => {
      this.begun.push(name);
      return new Promise((resolve) => this.ends.push(() => resolve(name)));
    };
  }

  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('Turns', () => {
  it('bound the requests that an app runs at once', async () => {
    const [turns, work] = [new Turns({ perApp: 2 }), new Work()];
    const all = Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', work.of(name))));
    expect(work.begun).to.deep.equal(['a1', 'a2']);
    await work.end();
    expect(work.begun).to.deep.equal(['a1', 'a2', 'a3']);
    for (let time = 0; time < 3; time += 1) await work.end();
    expect(await all).to.deep.equal(['a1', 'a2', 'a3', 'a4']);
  });

  it('leave room for another app beside a busy one', async () => {
    const [turns, work] = [new Turns({ perApp: 2 }), new Work()];
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', work.of(name)));
    all.push(turns.run('b', work.of('b1')));
    expect(work.begun).to.deep.equal(['a1', 'a2', 'b1']);
    for (let time = 0; time < 5; time += 1) await work.end();
    await Promise.all(all);
  });

  it('alternate between apps however long the queue of one of them is', async () => {
    const [turns, work] = [new Turns({ perApp: 2 }), new Work()];
    const names = ['a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'a6', 'b2', 'b3', 'c1'];
    const all = names.map((name) => turns.run(name[0] ?? '', work.of(name)));
    expect(work.begun).to.deep.equal(['a1', 'a2', 'b1']);
    for (let time = 0; time < names.length; time += 1) await work.end();
    await Promise.all(all);
    expect(work.begun.slice(3, 6).toSorted(), 'one of each first').to.deep.equal(['a3', 'b2', 'c1']);
  });

  it('count a large read as several turns', async () => {
    const [turns, work] = [new Turns({ perApp: 4 }), new Work()];
    const all = [
      turns.run('a', work.of('a1'), 3),
      turns.run('a', work.of('a2'), 100),
      turns.run('a', work.of('a3')),
    ];
    expect(work.begun).to.deep.equal(['a1']);
    await work.end();
    expect(work.begun, 'all that the app has').to.deep.equal(['a1', 'a2']);
    await work.end();
    await work.end();
    expect(await Promise.all(all)).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('start all requests that fit once a large one has ended', async () => {
    const [turns, work] = [new Turns({ perApp: 4 }), new Work()];
    const all = ['a1', 'a2', 'a3'].map((name, index) => turns.run('a', work.of(name), index === 0 ? 4 : 1));
    await work.end();
    expect(work.begun).to.deep.equal(['a1', 'a2', 'a3']);
    await work.end();
    await work.end();
    await Promise.all(all);
    const { workingOf, queues } = turns as unknown as {
      workingOf: Map<string, number>;
      queues: Map<string, unknown>;
    };
    expect([workingOf.size, queues.size]).to.deep.equal([0, 0]);
  });

  it('are released by work that fails', async () => {
    const turns = new Turns({ perApp: 1 });
    const failed = await turns
      .run('a', () => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message);
    expect(failed).to.equal('no');
    expect(await turns.run('a', () => Promise.resolve(1))).to.equal(1);
  });

  it('refuse a request whose turn does not come in time, and serve the next', async () => {
    const [turns, work] = [new Turns({ perApp: 1, waitMs: 5 }), new Work()];
    const first = turns.run('a', work.of('a1'));
    const late: unknown = await turns.run('a', work.of('a2')).catch((error: unknown) => error);
    expect(late).to.be.instanceOf(ServiceError);
    expect((late as ServiceError).code).to.equal('rate_limited');
    expect((late as ServiceError).facts.retryAfterSeconds).to.equal(1);
    expect((late as ServiceError).message).to.equal(
      'Too many requests of the app are in work; send fewer at once.',
    );
    await work.end();
    expect(await first).to.equal('a1');
    const next = turns.run('a', work.of('a3'));
    await work.end();
    expect(await next).to.equal('a3');
    expect(work.begun).to.deep.equal(['a1', 'a3']);
  });

  it('let a request wait however long, if told so', async () => {
    const [turns, work] = [new Turns({ perApp: 1, waitMs: Infinity }), new Work()];
    const all = Promise.all(['a1', 'a2'].map((name) => turns.run('a', work.of(name))));
    // A timer of Infinity would end after a millisecond.
    await new Promise((wake) => setTimeout(wake, 20));
    await work.end();
    await work.end();
    expect(await all).to.deep.equal(['a1', 'a2']);
  });

  it('serve a request that waited behind one that timed out', async () => {
    const [turns, work] = [new Turns({ perApp: 4, waitMs: 5 }), new Work()];
    const first = turns.run('a', work.of('a1'), 3);
    const heavy = turns.run('a', work.of('a2'), 4).catch(() => 'refused');
    const light = turns.run('a', work.of('a3'), 1);
    expect(work.begun).to.deep.equal(['a1']);
    expect(await heavy).to.equal('refused');
    await new Promise((resolve) => setImmediate(resolve));
    expect(work.begun).to.deep.equal(['a1', 'a3']);
    await work.end();
    await work.end();
    expect([await first, await light]).to.deep.equal(['a1', 'a3']);
  });

  it('never exceed their bounds and starve no request in any order', async () => {
    const app = fc.constantFrom('a', 'b', 'c');
    await fc.assert(
      fc.asyncProperty(
        fc.array(app, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (apps, perApp) => {
          const turns = new Turns({ perApp });
          const working: Record<string, number> = { a: 0, b: 0, c: 0 };
          await Promise.all(
            apps.map((name) =>
              turns.run(name, async () => {
                working[name] = (working[name] ?? 0) + 1;
                expect(working[name]).to.be.at.most(perApp);
                await new Promise((resolve) => setImmediate(resolve));
                working[name] -= 1;
              }),
            ),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});
