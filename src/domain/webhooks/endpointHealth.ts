import { backOff } from '../backOff.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * An endpoint that has answered nothing but failure for this long is disabled (docs/contract.md#webhooks).
 */
export const FAILING_DAYS = 5;

/** Attempts at one endpoint at the same time, over all workers. */
export const MAX_CONCURRENT = 16;

/** Consecutive failures after which an endpoint gets one attempt at a time. */
const TRIPPED_AFTER = 3;

/** Consecutive failures after which there is also a pause between attempts. */
const PAUSED_AFTER = 10;
const MAX_PAUSE_SECONDS = 60;

/**
 * One answer's `Retry-After` puts off its own delivery by up to a day, but all others of the endpoint by this
 * at most.
 */
const MAX_ASKED_PAUSE_SECONDS = 60 * 60;

/** What is remembered of an endpoint's latest attempts. */
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
  /** Why the endpoint is to be disabled now; absent: it is not. */
  disabledReason?: 'gone' | 'failing';
}

/** The endpoint's health after one more failed attempt that ended at `now`. */
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
 * How many attempts may run at once. A receiver that fails or hangs holds one of our sockets, not all of
 * them; one that says it is overloaded is not met with sixteen requests again.
 */
export function concurrencyFor(health: EndpointHealth): number {
  return health.consecutiveFailures >= TRIPPED_AFTER ? 1 : MAX_CONCURRENT;
}

/** Whether attempts are to wait, and until when. */
export function pausedUntil(health: EndpointHealth, now: Date): Date | null {
  if (health.pausedUntil === null) return null;
  const until = new Date(health.pausedUntil);
  return until > now ? until : null;
}

/** Answers with which a receiver says that it has too much to do (Standard Webhooks, "Throttling"). */
const OVERLOADED = new Set([429, 502, 503, 504]);

function pauseAfter(failures: number, facts: FailureFacts, now: Date): string | null {
  const asked = OVERLOADED.has(facts.statusCode ?? 0) ? askedPause(facts) : 0;
  const excess = failures - PAUSED_AFTER;
  const own = excess < 0 ? 0 : backOff(excess, 1, MAX_PAUSE_SECONDS);
  const seconds = Math.max(asked, own);
  return seconds === 0 ? null : new Date(now.getTime() + seconds * 1000).toISOString();
}

/**
 * Without `Retry-After`, an overloaded receiver gets a breath of one second; a bare 503 is an ordinary
 * failure.
 */
function askedPause(facts: FailureFacts): number {
  const unasked = facts.statusCode === 503 ? 0 : 1;
  return Math.min(facts.retryAfterSeconds ?? unasked, MAX_ASKED_PAUSE_SECONDS);
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
