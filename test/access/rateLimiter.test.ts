import { expect } from 'chai';
import { RateLimiter, WINDOW_SECONDS } from '../../src/access/RateLimiter.js';
import { ServiceError } from '../../src/errors.js';

describe('A limit of an app', () => {
  it('tells no longer wait than its window where the clock was set back meanwhile', async () => {
    const limiter = new RateLimiter({ rateLimits: { read: 2, write: 1, ingest: 1, token: 1 } });
    await limiter.take('app_1', 'read', 1);
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    try {
      const state = await limiter.take('app_1', 'read', 1);
      expect(state?.resetSeconds).to.be.within(1, WINDOW_SECONDS);
      const refused: unknown = await limiter.take('app_1', 'read', 1).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(ServiceError);
      const { retryAfterSeconds, rateLimit } = (refused as ServiceError).facts;
      expect(retryAfterSeconds).to.be.within(1, WINDOW_SECONDS);
      expect(Number(rateLimit?.['RateLimit']?.split('t=')[1])).to.be.within(1, WINDOW_SECONDS);
    } finally {
      Date.now = now;
    }
  });
});
