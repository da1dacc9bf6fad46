/** How far a process is on its way out. Shared by whoever answers. */
export interface Lifecycle {
  /** On its way out: not ready, and every answer closes its connection. */
  draining: boolean;
}
