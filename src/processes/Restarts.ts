import { backOff } from '../domain/backOff.js';

/** What ran for longer did not end because of its start. */
const STABLE_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

/** When something that ends is started again: after a pause, which doubles while it ends soon after its start. */
export class Restarts {
  private failures = 0;
  private startedAt = 0;

  /** It starts now. */
  started(): void {
    this.startedAt = performance.now();
  }

  /** Until the next start, of what has just ended, in milliseconds. */
  pauseMs(): number {
    this.failures = performance.now() - this.startedAt > STABLE_MS ? 0 : this.failures + 1;
    return backOff(this.failures, MIN_PAUSE_MS, MAX_PAUSE_MS);
  }
}
