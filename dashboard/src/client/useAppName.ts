import { useSyncExternalStore } from 'react';
import { appName } from '../session.ts';

/** The name of the app that the person is signed in for. */
export function useAppName(): string {
  return useSyncExternalStore(appName.subscribe, appName.get);
}
