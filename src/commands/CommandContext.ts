import type { RejectedItem } from '../access/inputShape.js';

/** Who runs a command and when; the same for every statement of its transaction. */
export interface CommandContext {
  /** The app whose records the command touches, or `admin`. */
  appId: string;
  now: Date;
  /** For decisions that must be timed after a lock was granted; everything else goes by `now`. */
  clock: () => Date;
  /** Batch items refused for their shape already, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}
