import { expect } from 'chai';
import {
  MAX_CONCURRENT,
  afterFailure,
  concurrencyFor,
  pausedUntil,
} from '../../../src/domain/webhooks/endpointHealth.js';
import type { EndpointHealth } from '../../../src/domain/webhooks/endpointHealth.js';

const HEALTHY: EndpointHealth = { consecutiveFailures: 0, failingSince: null, pausedUntil: null };
const start = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
const DAY = 86_400;

function failed(times: number): EndpointHealth {
  let health = HEALTHY;
  for (let count = 0; count < times; count += 1)
    health = afterFailure(health, { statusCode: 500 }, start).health;
  return health;
}

describe('endpointHealth', () => {
  it('disables after five days of failures only, and not earlier', () => {
    const first = afterFailure(HEALTHY, { statusCode: 500 }, start);
    expect(first.disabledReason).to.equal(undefined);
    expect(afterFailure(first.health, { statusCode: 500 }, later(5 * DAY - 0.001)).disabledReason).to.equal(
      undefined,
    );
    expect(afterFailure(first.health, { statusCode: 500 }, later(5 * DAY)).disabledReason).to.equal(
      'failing',
    );
  });

  it('counts from the first failure since the last success', () => {
    expect(afterFailure(HEALTHY, {}, later(30 * DAY)).disabledReason).to.equal(undefined);
  });

  it('disables at once on 410', () => {
    expect(afterFailure(HEALTHY, { statusCode: 410 }, start).disabledReason).to.equal('gone');
  });

  it('gives a failing receiver one attempt at a time', () => {
    expect(concurrencyFor(HEALTHY)).to.equal(MAX_CONCURRENT);
    expect(concurrencyFor(failed(2))).to.equal(MAX_CONCURRENT);
    expect(concurrencyFor(failed(3))).to.equal(1);
  });

  it('pauses after ten failures, doubling to a minute', () => {
    expect(pausedUntil(failed(9), start)).to.equal(null);
    expect(pausedUntil(failed(10), start)).to.deep.equal(later(1));
    expect(pausedUntil(failed(13), start)).to.deep.equal(later(8));
    expect(pausedUntil(failed(40), start)).to.deep.equal(later(60));
    expect(pausedUntil(failed(10), later(1))).to.equal(null);
  });

  it('delays the whole endpoint as long as an overloaded receiver asks, at most an hour', () => {
    for (const statusCode of [429, 502, 503, 504]) {
      expect(
        pausedUntil(afterFailure(HEALTHY, { statusCode, retryAfterSeconds: 90 }, start).health, start),
      ).to.deep.equal(later(90));
    }
    expect(pausedUntil(afterFailure(HEALTHY, { statusCode: 429 }, start).health, start)).to.deep.equal(
      later(1),
    );
    expect(
      pausedUntil(afterFailure(HEALTHY, { statusCode: 429, retryAfterSeconds: DAY }, start).health, start),
    ).to.deep.equal(later(3600));
    expect(
      pausedUntil(afterFailure(HEALTHY, { statusCode: 500, retryAfterSeconds: 90 }, start).health, start),
    ).to.equal(null);
  });

  it('is not shortened by a later, shorter request', () => {
    const long = afterFailure(HEALTHY, { statusCode: 429, retryAfterSeconds: 90 }, start).health;
    expect(afterFailure(long, { statusCode: 429, retryAfterSeconds: 5 }, start).health.pausedUntil).to.equal(
      later(90).toISOString(),
    );
  });
});
