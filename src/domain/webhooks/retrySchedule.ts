const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Seconds from the end of an attempt to the next. The first has no delay
 * (docs/webhooks.md#when-a-receiver-fails).
 */
export const RETRY_DELAYS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;

/** A receiver cannot delay an attempt longer than the schedule's longest delay. */
export const MAX_RETRY_AFTER_SECONDS = 24 * HOUR;

export interface FailedAttempt {
  /** Attempts made so far, this one included: 1 after the first. */
  attempts: number;
  endedAt: Date;
  /** Seconds that the receiver asked for in `Retry-After`. */
  retryAfterSeconds?: number;
}

/**
 * The time of the next attempt, or `null` after the last one. `Retry-After` only lengthens the delay; the
 * jitter does not shorten it.
 *
 * @param random in [0, 1): jitter of ± 20 %, so that deliveries that failed together do not retry together
 */
export function nextAttemptAt(failed: FailedAttempt, random: number): Date | null {
  const delay = RETRY_DELAYS_SECONDS[failed.attempts - 1];
  if (delay === undefined) return null;
  const spread = delay * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(failed.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return new Date(failed.endedAt.getTime() + Math.round(Math.max(spread, asked) * 1000));
}

/**
 * The seconds of a `Retry-After` header (RFC 9110, 10.2.3: delta-seconds or HTTP-date), if it asks for any.
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS);
  // Only HTTP-dates: Date.parse alone reads "1.5" as a day in January.
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const seconds = (Date.parse(text) - now.getTime()) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_SECONDS) : undefined;
}
