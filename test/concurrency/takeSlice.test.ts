import { expect } from 'chai';
import { takeSlice } from '../../src/concurrency/takeSlice.js';

const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slices of long work', () => {
  beforeEach(async () => {
    await takeSlice(1);
    await round();
    await round();
  });

  it('let short work start at once', () => {
    expect(takeSlice(12)).to.equal(undefined);
    expect(takeSlice(12)).to.equal(undefined);
  });

  it('hold 200 facts in total', () => {
    expect(takeSlice(100)).to.equal(undefined);
    expect(takeSlice(100)).to.equal(undefined);
    expect(takeSlice(1)).to.be.instanceOf(Promise);
  });

  it('do not keep the process awake if nothing waits', async () => {
    await Promise.all([takeSlice(150), takeSlice(150)]);
    // Without rest the process would go round its event loop for ever.
    while (process.getActiveResourcesInfo().includes('Immediate'))
      await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('start one piece a round, in the order of arrival, and yield in between', async () => {
    const done: string[] = [];
    const work = async (name: string): Promise<void> => {
      await takeSlice(150);
      done.push(name);
    };
    const all = Promise.all(['first', 'second', 'third'].map(work));
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await round();
      done.push('other');
    }
    await all;
    expect(done.filter((name) => name !== 'other')).to.deep.equal(['first', 'second', 'third']);
    expect(done.indexOf('third') - done.indexOf('first')).to.be.greaterThan(2);
  });

  it('queue short work behind work that already waits', async () => {
    void takeSlice(150);
    const long = takeSlice(150);
    const short = takeSlice(1);
    expect(long).to.be.instanceOf(Promise);
    expect(short).to.be.instanceOf(Promise);
    await Promise.all([long, short]);
  });

  it('run a piece that is larger than a slice alone', async () => {
    void takeSlice(1);
    await takeSlice(100_000);
    expect(takeSlice(1)).to.be.instanceOf(Promise);
  });
});
