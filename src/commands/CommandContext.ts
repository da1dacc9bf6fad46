import type { RejectedItem } from '../access/inputShape.js';

/** Replaces the app id in commands of operators; row level security knows it. */
export const ADMIN_SCOPE = 'admin';

/** The app that runs a command, and the time. Every statement of its transaction sees the same. */
export interface CommandContext {
  /** The app whose records the command touches, or `ADMIN_SCOPE`. */
  appId: string;
  now: Date;
  /** The clock, for decisions that must be timed after a lock was granted. All others use `now`. */
  clock: () => Date;
  /** Batch items refused for their shape already, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** The context of a command that no request of a partner runs: a person's page, a job, a replay. */
export function contextAt(appId: string, clock: () => Date): CommandContext {
  return { appId, now: clock(), clock, rejected: new Map<number, never>() };
}
