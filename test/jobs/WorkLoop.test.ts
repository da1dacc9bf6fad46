import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { signalWork } from '../../src/database/workSignal.js';
import { WorkLoop } from '../../src/jobs/WorkLoop.js';

/** Longer than a test: only a signal can start a round. */
const AN_HOUR = 3_600_000;

describe('WorkLoop', () => {
  let loop: WorkLoop;
  let rounds = 0;
  const errors: unknown[] = [];

  /** Starts a loop whose rounds run the given functions in order, then do nothing. */
  function begin(...steps: (() => boolean)[]): void {
    rounds = 0;
    errors.length = 0;
    loop = new WorkLoop({
      queue: 'mail',
      pollMs: AN_HOUR,
      round: async () => {
        rounds += 1;
        return steps[rounds - 1]?.() ?? false;
      },
      onError: (error) => errors.push(error),
    });
    loop.start();
  }

  afterEach(() => loop.stop());

  it('runs rounds without delay until one finds nothing', async () => {
    begin(
      () => true,
      () => true,
    );
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(rounds).to.equal(3);
  });

  it('runs a round after a signal of its queue only', async () => {
    begin();
    await nextTurn();
    signalWork('customer');
    await nextTurn();
    expect(rounds).to.equal(1);
    signalWork('mail');
    await nextTurn();
    expect(rounds).to.equal(2);
  });

  it('runs another round after a signal that came during a round', async () => {
    begin(() => {
      signalWork('mail');
      return false;
    });
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(rounds).to.equal(2);
  });

  it('reports a failed round and continues', async () => {
    begin(() => {
      throw new Error('no database');
    });
    await nextTurn();
    expect(errors).to.have.length(1);
    loop.wake();
    await nextTurn();
    expect(rounds).to.equal(2);
  });

  it('stops while it is waiting', async () => {
    begin();
    await nextTurn();
    await loop.stop();
    signalWork('mail');
    await nextTurn();
    expect(rounds).to.equal(1);
  });
});
