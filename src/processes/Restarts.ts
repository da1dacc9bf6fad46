import { backOff } from '../domain/backOff.js';

/** After this run time, in milliseconds, an end is not a failed start. */
const STABLE_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

/** The pause before a restart. It doubles while the process ends soon after its start. */
export class Restarts {
  private failures = 0;
  private startedAt = 0;

  /** Records a start. */
  started(): void {
    this.startedAt = performance.now();
  }

  /** The pause after an end until the next start, in milliseconds. */
  pauseMs(): number {
    this.failures = performance.now() - this.startedAt > STABLE_MS ? 0 : this.failures + 1;
    return backOff(this.failures, MIN_PAUSE_MS, MAX_PAUSE_MS);
  }
}
