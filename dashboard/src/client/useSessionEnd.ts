import { useSyncExternalStore } from 'react';
import type { SessionEnd } from './renewSession.ts';
import { sessionEnd } from './renewSession.ts';

/** Whether and why the page cannot go on. */
export function useSessionEnd(): SessionEnd | undefined {
  return useSyncExternalStore(sessionEnd.subscribe, sessionEnd.get);
}
