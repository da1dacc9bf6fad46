/**
 * The numbers of the advisory locks of the whole database, equal on every node. They are listed in one place,
 * so that no two locks share one.
 */
export const LOCK_NUMBERS = {
  /** Only one node creates or changes signing keys at a time. Who waits for it keeps a snapshot. */
  signingKeys: 7_263_518_005,
  /**
   * Concurrent starts migrate one after the other. Index builds wait for every snapshot, so this is a lock
   * for which nobody waits with one. Not 7_263_518_004: older versions do so.
   */
  migrations: 7_263_518_006,
} as const;
