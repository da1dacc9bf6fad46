import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_RETRY_AFTER_SECONDS,
  RETRY_DELAYS_SECONDS,
  nextAttemptAt,
  retryAfterSeconds,
} from '../../../src/domain/webhooks/retrySchedule.js';

const now = new Date('2026-01-01T00:00:00.000Z');
const secondsAfter = (attempts: number, random: number, asked?: number): number => {
  const failed = { attempts, endedAt: now, ...(asked === undefined ? {} : { retryAfterSeconds: asked }) };
  return ((nextAttemptAt(failed, random)?.getTime() ?? Number.NaN) - now.getTime()) / 1000;
};

describe('retrySchedule', () => {
  it('is the published one in the middle of the jitter', () => {
    const delays = RETRY_DELAYS_SECONDS.map((_, index) => secondsAfter(index + 1, 0.5));
    expect(delays).to.deep.equal([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('ends after ten attempts', () => {
    expect(nextAttemptAt({ attempts: 9, endedAt: now }, 0.5)).not.to.equal(null);
    expect(nextAttemptAt({ attempts: 10, endedAt: now }, 0.5)).to.equal(null);
  });

  it('has a jitter of exactly ± 20 %', () => {
    expect(secondsAfter(2, 0)).to.equal(240);
    expect(secondsAfter(2, 1 - Number.EPSILON)).to.be.closeTo(360, 0.001);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, random) => {
          const base = RETRY_DELAYS_SECONDS[attempts - 1] ?? 0;
          expect(secondsAfter(attempts, random)).to.be.within(base * 0.8 - 0.001, base * 1.2 + 0.001);
        },
      ),
    );
  });

  it('never tries before the time the receiver asked for, nor puts off longer than a day for it', () => {
    expect(secondsAfter(1, 0, 8)).to.equal(8);
    expect(secondsAfter(2, 0.5, 8)).to.equal(300);
    expect(secondsAfter(1, 0.5, 10 ** 9)).to.equal(MAX_RETRY_AFTER_SECONDS);
  });
});

describe('retryAfterSeconds', () => {
  it('reads seconds and HTTP dates', () => {
    expect(retryAfterSeconds('120', now)).to.equal(120);
    expect(retryAfterSeconds(' 0 ', now)).to.equal(0);
    expect(retryAfterSeconds('Thu, 01 Jan 2026 00:01:30 GMT', now)).to.equal(90);
    for (const digits of [10, 11, 400])
      expect(retryAfterSeconds('9'.repeat(digits), now), `${digits} digits`).to.equal(
        MAX_RETRY_AFTER_SECONDS,
      );
  });

  it('ignores a past date and anything else', () => {
    for (const text of [
      'Wed, 31 Dec 2025 23:59:59 GMT',
      '',
      '-5',
      '1.5',
      '1e3',
      'soon',
      '2026-01-02',
      undefined,
    ]) {
      expect(retryAfterSeconds(text, now), String(text)).to.equal(undefined);
    }
  });
});
