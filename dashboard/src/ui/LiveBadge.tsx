import { useSyncExternalStore } from 'react';
import { liveState } from '../client/liveState.ts';
import { useTexts } from '../i18n/texts.tsx';

/** Whether the page hears of changes as they happen; nothing while it listens to none. */
export function LiveBadge() {
  const { common } = useTexts();
  const state = useSyncExternalStore(liveState.subscribe, liveState.get);
  if (state === 'idle') return null;
  const isPaused = state === 'paused';
  return (
    <span
      className={isPaused ? 'live paused' : 'live'}
      title={isPaused ? common.pausedHint : common.liveHint}
    >
      <i aria-hidden="true" />
      <span role="status">{isPaused ? common.paused : common.live}</span>
    </span>
  );
}
