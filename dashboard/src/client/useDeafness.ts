import { useEffect, useState, useSyncExternalStore } from 'react';
import { liveState } from './liveState.ts';

/** The longest that a connection is begun anew, as after the renewal of a token. */
const PATIENCE_MS = 2000;

/** Whether the page, which listens to changes, has had no live connection for a while. */
export function useDeafness(isListening: boolean): boolean {
  const state = useSyncExternalStore(liveState.subscribe, liveState.get);
  const isCut = isListening && state !== 'live';
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    if (!isCut) return undefined;
    const timer = setTimeout(() => setDeaf(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setDeaf(false);
    };
  }, [isCut]);
  return isDeaf && isCut;
}
