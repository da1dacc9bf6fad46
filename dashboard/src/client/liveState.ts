import { createStore } from './createStore.ts';
import { readAgain } from './readAgain.ts';

/** How the live connection stands: `idle` while no page listens. */
export type LiveState = 'idle' | 'live' | 'paused';

export const liveState = createStore<LiveState>('idle');

export function changeLiveState(next: LiveState): void {
  const before = liveState.get();
  if (before === next) return;
  // What happened while nobody listened was missed.
  if (before === 'paused' && next === 'live') readAgain();
  liveState.set(next);
}
