import { readAgain } from './readAgain.ts';

/** How the live connection stands: `idle` while no page listens. */
export type LiveState = 'idle' | 'live' | 'paused';

let state: LiveState = 'idle';
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export const liveState = {
  get: (): LiveState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function changeLiveState(next: LiveState): void {
  if (state === next) return;
  // What happened while nobody listened was missed.
  if (state === 'paused' && next === 'live') readAgain();
  state = next;
  for (const listener of listeners) listener();
}
