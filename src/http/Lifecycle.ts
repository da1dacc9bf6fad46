/** How far a process is in shutting down. Shared by all handlers. */
export interface Lifecycle {
  /** On its way out: not ready, and every answer closes its connection. */
  draining: boolean;
}
