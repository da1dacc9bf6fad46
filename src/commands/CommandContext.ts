import type { RejectedItem } from '../access/inputShape.js';

/** Who runs a command and when; the same for every statement of its transaction. */
export interface CommandContext {
  /** The app whose records the command touches, or `admin`. */
  appId: string;
  now: Date;
  /** Batch items refused for their shape already, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}
