import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { OauthServices } from './OauthServices.js';

export interface ThrottleRule {
  name: string;
  /** Attempts within the window. */
  most: number;
  windowSeconds: number;
}

/** Counts attempts in PostgreSQL, so that a limit holds over all nodes. What is counted by is kept as a keyed digest. */
export class Throttle {
  private readonly limiter: RateLimiterPostgres;
  private readonly secrets: OauthServices['secrets'];

  constructor(services: Pick<OauthServices, 'database' | 'secrets'>, rule: ThrottleRule) {
    this.secrets = services.secrets;
    this.limiter = new RateLimiterPostgres({
      storeClient: services.database.pool,
      tableName: 'throttles',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: rule.name,
      points: rule.most,
      duration: rule.windowSeconds,
    });
  }

  /** Counts one attempt. Seconds to wait when it is one too many, else 0. */
  async take(subject: string): Promise<number> {
    try {
      await this.limiter.consume(this.key(subject));
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw refusal;
    }
  }

  /** Takes back what was counted. */
  async forget(subject: string): Promise<void> {
    await this.limiter.delete(this.key(subject));
  }

  /** Takes back one attempt. */
  async giveBack(subject: string): Promise<void> {
    await this.limiter.reward(this.key(subject));
  }

  private key(subject: string): string {
    return this.secrets.mac('throttle', subject);
  }
}
