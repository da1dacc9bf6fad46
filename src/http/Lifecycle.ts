/** Whether the process is shutting down. Shared by all handlers. */
export interface Lifecycle {
  /** Shutting down: not ready, and every answer closes its connection. */
  draining: boolean;
}
