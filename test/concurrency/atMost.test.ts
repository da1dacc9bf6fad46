import { expect } from 'chai';
import { atMost } from '../../src/concurrency/atMost.js';
import { unlessLate } from '../../src/concurrency/unlessLate.js';

const never = new Promise<never>(() => undefined);

/** Mocha sets its own timer once the test function has returned. */
async function timers(): Promise<number> {
  await Promise.resolve();
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

describe('atMost', () => {
  it('tells that work was through, and leaves no timer', async () => {
    const before = await timers();
    expect(await atMost(60_000, Promise.resolve(7))).to.equal(true);
    expect(await timers()).to.equal(before);
  });

  it('tells that work was not through in time', async () => {
    expect(await atMost(1, never)).to.equal(false);
  });

  it('throws the error of the work, and leaves no timer', async () => {
    const before = await timers();
    const outcome = await atMost(60_000, Promise.reject(new Error('broken'))).catch(String);
    expect(outcome).to.equal('Error: broken');
    expect(await timers()).to.equal(before);
  });
});

describe('unlessLate', () => {
  it('returns what work in time returns', async () => {
    expect(await unlessLate(Promise.resolve(7), 60_000, () => new Error('late'))).to.equal(7);
  });

  it('throws the given error when work is late', async () => {
    const outcome = await unlessLate(never, 1, () => new Error('late')).catch(String);
    expect(outcome).to.equal('Error: late');
  });
});
