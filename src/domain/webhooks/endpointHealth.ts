import { DAY_MS } from '../timestamp.js';
import { backOff } from '../backOff.js';

/** An endpoint that only failed for this long is disabled (docs/webhooks.md#when-a-receiver-fails). */
const FAILING_DAYS = 5;

/** Concurrent attempts at one endpoint, over all workers. */
export const MAX_CONCURRENT = 16;

/** Consecutive failures after which an endpoint gets one attempt at a time. */
const TRIPPED_AFTER = 3;

/** Consecutive failures after which attempts also pause. */
const PAUSED_AFTER = 10;
const MAX_PAUSE_SECONDS = 60;

/** `Retry-After` delays its own delivery by up to a day, the endpoint's others by at most this. */
const MAX_ASKED_PAUSE_SECONDS = 60 * 60;

/** The recorded results of an endpoint's latest attempts. */
export interface EndpointHealth {
  consecutiveFailures: number;
  /** The first failure since the last success. */
  failingSince: string | null;
  /** No attempt before this time. */
  pausedUntil: string | null;
}

export interface FailureFacts {
  statusCode?: number;
  retryAfterSeconds?: number;
}

export interface HealthAfterFailure {
  health: EndpointHealth;
  /** Why to disable the endpoint now; absent: do not. */
  disabledReason?: 'gone' | 'failing';
}

/** The endpoint's health after a further failed attempt, which ended at `now`. */
export function afterFailure(before: EndpointHealth, facts: FailureFacts, now: Date): HealthAfterFailure {
  const consecutiveFailures = before.consecutiveFailures + 1;
  const failingSince = before.failingSince ?? now.toISOString();
  const pausedUntil = later(before.pausedUntil, pauseAfter(consecutiveFailures, facts, now));
  const health = { consecutiveFailures, failingSince, pausedUntil };
  if (facts.statusCode === 410) return { health, disabledReason: 'gone' };
  const failingMs = now.getTime() - Date.parse(failingSince);
  return failingMs >= FAILING_DAYS * DAY_MS ? { health, disabledReason: 'failing' } : { health };
}

/**
 * Concurrent attempts allowed. A failing or hanging receiver holds one of our sockets, and an overloaded one
 * does not get sixteen requests again.
 */
export function concurrencyFor(health: EndpointHealth): number {
  return health.consecutiveFailures >= TRIPPED_AFTER ? 1 : MAX_CONCURRENT;
}

/** The end of the pause; null when there is none. */
export function pausedUntil(health: EndpointHealth, now: Date): Date | null {
  if (health.pausedUntil === null) return null;
  const until = new Date(health.pausedUntil);
  return until > now ? until : null;
}

/** Statuses of an overloaded receiver (Standard Webhooks, "Throttling"). */
const OVERLOADED = new Set([429, 502, 503, 504]);

function pauseAfter(failures: number, facts: FailureFacts, now: Date): string | null {
  const asked = OVERLOADED.has(facts.statusCode ?? 0) ? askedPause(facts) : 0;
  const excess = failures - PAUSED_AFTER;
  const own = excess < 0 ? 0 : backOff(excess, 1, MAX_PAUSE_SECONDS);
  const seconds = Math.max(asked, own);
  return seconds === 0 ? null : new Date(now.getTime() + seconds * 1000).toISOString();
}

/** Without `Retry-After` an overloaded receiver gets one second. A bare 503 is an ordinary failure. */
function askedPause(facts: FailureFacts): number {
  const unasked = facts.statusCode === 503 ? 0 : 1;
  return Math.min(facts.retryAfterSeconds ?? unasked, MAX_ASKED_PAUSE_SECONDS);
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
