import { useEffect } from 'react';

const LOOK_MS = 3000;

/** Reads again regularly while the page is in sight: for what no subscription tells of, such as new rows. */
export function usePolling(isOn: boolean, read: (options: { requestPolicy: 'network-only' }) => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') read({ requestPolicy: 'network-only' });
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isOn, read]);
}
