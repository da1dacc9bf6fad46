import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { AccountServices } from './AccountServices.js';

export interface ThrottleRule {
  name: string;
  /** Attempts within the window. */
  most: number;
  windowSeconds: number;
}

export interface ThrottleState {
  refused: boolean;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts attempts in PostgreSQL, so that a limit holds over all nodes. Subjects are stored as keyed digests.
 */
export class Throttle {
  private readonly limiter: RateLimiterPostgres;
  private readonly secrets: AccountServices['secrets'];

  constructor(services: Pick<AccountServices, 'database' | 'secrets'>, rule: ThrottleRule) {
    this.secrets = services.secrets;
    this.limiter = new RateLimiterPostgres({
      storeClient: clientOf(services.database),
      storeType: 'client',
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
    const { refused, resetSeconds } = await this.count(subject);
    return refused ? resetSeconds : 0;
  }

  /** Counts one attempt and tells what is left. */
  async count(subject: string): Promise<ThrottleState> {
    try {
      return stateOf(await this.limiter.consume(this.key(subject)), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return stateOf(refusal, true);
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

/** The service's own way to PostgreSQL, as the limiter asks for it: bounded, and urgent where the caller is. */
function clientOf(database: AccountServices['database']): object {
  return {
    query: async ({ name, text, values }: Statement): Promise<object> => {
      const rows = await database.read({ name, text }, values);
      return { rows, rowCount: rows.length };
    },
  };
}

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

function stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): ThrottleState {
  return {
    refused,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}
