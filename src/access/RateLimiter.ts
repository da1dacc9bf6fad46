import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { IRateLimiterOptions } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';

/**
 * Classes of operation with separate limits. Revocations have a limit as large as that of writes, which
 * nothing else uses up.
 */
export type OperationClass = 'read' | 'write' | 'ingest' | 'revoke';

/** What the `RateLimit` headers say of a limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export interface ShownRate {
  operationClass: OperationClass | 'token';
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** The state of an app's limit. */
export interface RateState extends ShownRate {
  operationClass: OperationClass;
}

/** The window of every limit of an app. */
export const WINDOW_SECONDS = 60;

export type NewCount = (options: IRateLimiterOptions) => RateLimiterMemory;

/** Limits per app, class and minute. */
export class RateLimiter {
  /** Undefined where limits are off. */
  private readonly limiters: Record<OperationClass, RateLimiterMemory> | undefined;

  /** @param newCount counts in this process unless it is given */
  constructor(
    { rateLimits }: Pick<Config, 'rateLimits'>,
    newCount: NewCount = (options) => new RateLimiterMemory(options),
  ) {
    if (rateLimits === 'off') return;
    const { read, write, ingest } = rateLimits;
    const limit = (keyPrefix: OperationClass, points: number): RateLimiterMemory =>
      newCount({ keyPrefix, points, duration: WINDOW_SECONDS });
    this.limiters = {
      read: limit('read', read),
      write: limit('write', write),
      ingest: limit('ingest', ingest),
      revoke: limit('revoke', write),
    };
  }

  /**
   * Takes points of an app; undefined where limits are off.
   *
   * @throws ServiceError `rate_limited` with the seconds to wait
   */
  async take(appId: string, operationClass: OperationClass, points: number): Promise<RateState | undefined> {
    const limiter = this.limiters?.[operationClass];
    if (limiter === undefined) return undefined;
    try {
      return stateOf(operationClass, limiter, await limiter.consume(appId, points));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // What is refused costs nothing, so that smaller requests still pass.
      const left = await limiter.penalty(appId, -points);
      const retryAfterSeconds = secondsLeft(refused);
      throw new ServiceError(
        'rate_limited',
        points > limiter.points
          ? `This request is worth more than the ${limiter.points} points of a minute; send smaller ones.`
          : `Too many ${operationClass} operations; try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds, rateLimit: rateLimitHeaders(stateOf(operationClass, limiter, left)) },
      );
    }
  }

  /** Takes owed points, or returns points (negative), and never refuses. */
  async correct(
    appId: string,
    operationClass: OperationClass,
    points: number,
  ): Promise<RateState | undefined> {
    const limiter = this.limiters?.[operationClass];
    if (limiter === undefined) return undefined;
    return stateOf(operationClass, limiter, await limiter.penalty(appId, points));
  }
}

function stateOf(
  operationClass: OperationClass,
  limiter: RateLimiterMemory,
  taken: RateLimiterRes,
): RateState {
  return {
    operationClass,
    limit: limiter.points,
    remaining: Math.max(0, taken.remainingPoints),
    resetSeconds: secondsLeft(taken),
  };
}

/** A window ends by a timer, also where the wall clock, by which its rest is told, was set back since. */
function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}

/** `RateLimit-Policy` and `RateLimit`, as structured fields (RFC 9651). */
export function rateLimitHeaders({
  operationClass,
  limit,
  remaining,
  resetSeconds,
}: ShownRate): Record<string, string> {
  return {
    'RateLimit-Policy': `"${operationClass}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${operationClass}";r=${remaining};t=${resetSeconds}`,
  };
}
