/** Whether the process is shutting down. Shared by all handlers. */
export interface Lifecycle {
  /** When true, the process is not ready, and every answer closes its connection. */
  draining: boolean;
}
