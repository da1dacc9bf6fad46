import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { batched, readApart } from '../../src/loaders/batched.js';
import type { ReadScope } from '../../src/loaders/ReadScope.js';

/** A loader whose reads are noted. Keys in `bad` make each statement fail in which they are. */
class Bench {
  readonly sent: number[][] = [];
  readonly bad = new Map<number, Error>();
  readonly load = batched((scope: ReadScope, keys: readonly number[]) => this.read(scope.appId, keys));

  async read(appId: string, keys: readonly number[]): Promise<string[]> {
    this.sent.push([...keys]);
    await setImmediate();
    for (const key of keys) {
      const error = this.bad.get(key);
      if (error !== undefined) throw error;
    }
    return keys.map((key) => `${appId}:${key}`);
  }
}

const scopeOf = (appId: string): ReadScope => ({ services: {} as ReadScope['services'], appId });
const told = (error: unknown): string => (error as Error).message;

describe('A loader of the keys of one request', () => {
  it('reads the keys of one tick in one statement, and those of each request separately', async () => {
    const bench = new Bench();
    const [one, other] = [scopeOf('a'), scopeOf('a')];
    const reads = [bench.load(one, 1), bench.load(one, 2), bench.load(other, 3)];
    expect(await Promise.all(reads)).to.deep.equal(['a:1', 'a:2', 'a:3']);
    expect(bench.sent).to.deep.equal([[1, 2], [3]]);
  });

  it('adds no key to a statement that was sent and caches no value', async () => {
    const bench = new Bench();
    const scope = scopeOf('a');
    const early = bench.load(scope, 1);
    while (bench.sent.length === 0) await new Promise((resolve) => process.nextTick(resolve));
    expect(await Promise.all([early, bench.load(scope, 1)])).to.deep.equal(['a:1', 'a:1']);
    await bench.load(scope, 1);
    expect(bench.sent).to.deep.equal([[1], [1], [1]]);
  });

  it('reads at most 100 keys in one statement', async () => {
    const bench = new Bench();
    const scope = scopeOf('a');
    await Promise.all(Array.from({ length: 201 }, (_, key) => bench.load(scope, key)));
    expect(bench.sent.map(({ length }) => length)).to.deep.equal([100, 100, 1]);
  });

  it('reads each key alone after a failed statement so that only the bad key fails', async () => {
    const bench = new Bench();
    const scope = scopeOf('a');
    bench.bad.set(2, new Error('bad row'));
    const reads = [1, 2, 3].map((key) => bench.load(scope, key).catch(told));
    expect(await Promise.all(reads)).to.deep.equal(['a:1', 'bad row', 'a:3']);
    expect(bench.sent).to.deep.equal([[1, 2, 3], [1], [2], [3]]);
  });

  it('reads neither a single key again after a failure nor any after a lost connection', async () => {
    const bench = new Bench();
    bench.bad.set(1, new Error('bad row'));
    bench.bad.set(2, Object.assign(new Error('gone'), { code: '57P01' }));
    expect(await bench.load(scopeOf('a'), 1).catch(told)).to.equal('bad row');
    const scope = scopeOf('a');
    const reads = [2, 3].map((key) => bench.load(scope, key).catch(told));
    expect(await Promise.all(reads)).to.deep.equal(['gone', 'gone']);
    const list = readApart((keys) => bench.read('a', keys), [2, 3]);
    expect(await list.catch(told)).to.equal('gone');
    expect(bench.sent).to.deep.equal([[1], [2, 3], [2, 3]]);
  });
});
