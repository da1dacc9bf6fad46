import { SharedCounter } from '../database/SharedCounter.js';
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

interface ThrottleServices extends Pick<AccountServices, 'secrets'> {
  database: Pick<AccountServices['database'], 'read'>;
}

/** Whose attempts count, by which rule. */
export interface Budget {
  rule: ThrottleRule;
  subject: string;
}

/**
 * Counts attempts in PostgreSQL, so that a limit applies over all nodes. Subjects are stored as keyed
 * digests.
 */
export class Throttle {
  private readonly counter: SharedCounter;
  private readonly most: number;
  private readonly secrets: AccountServices['secrets'];

  constructor(services: ThrottleServices, rule: ThrottleRule) {
    this.secrets = services.secrets;
    this.counter = new SharedCounter(services.database, rule);
    this.most = rule.most;
  }

  /** Counts one attempt. @returns seconds to wait when the limit is exceeded, else 0 */
  async take(subject: string): Promise<number> {
    const { refused, resetSeconds } = await this.count(subject);
    return refused ? resetSeconds : 0;
  }

  /** Counts one attempt and returns the state of the limit. */
  async count(subject: string): Promise<ThrottleState> {
    const { points, leftMs } = await this.counter.add(this.key(subject), 1);
    return {
      refused: points > this.most,
      remaining: Math.max(0, this.most - points),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    };
  }

  /** Resets the count. */
  async forget(subject: string): Promise<void> {
    await this.counter.forget(this.key(subject));
  }

  /** Takes back one attempt. */
  async giveBack(subject: string): Promise<void> {
    await this.counter.add(this.key(subject), -1);
  }

  private key(subject: string): string {
    return this.secrets.mac('throttle', subject);
  }
}

/**
 * Spends the budgets up to the first that is used up.
 *
 * @returns seconds to wait when one is, else 0
 */
export async function spendAll(services: ThrottleServices, budgets: readonly Budget[]): Promise<number> {
  for (const { rule, subject } of budgets) {
    const wait = await new Throttle(services, rule).take(subject);
    if (wait > 0) return wait;
  }
  return 0;
}

/**
 * Spends the first budget that is not used up.
 *
 * @returns seconds to wait when all are used up, else 0
 */
export async function spendFirst(services: ThrottleServices, budgets: readonly Budget[]): Promise<number> {
  let wait = 0;
  for (const { rule, subject } of budgets) {
    wait = await new Throttle(services, rule).take(subject);
    if (wait === 0) break;
  }
  return wait;
}
