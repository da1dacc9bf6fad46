import { useSyncExternalStore } from 'react';
import { liveState } from '../client/liveState.ts';
import { useTexts } from '../i18n/texts.tsx';

/** Whether the page hears of changes as they happen. */
export function LiveBadge() {
  const { common } = useTexts();
  const state = useSyncExternalStore(liveState.subscribe, liveState.get);
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
