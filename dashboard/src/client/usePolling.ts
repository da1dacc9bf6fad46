import { useEffect } from 'react';

const LOOK_MS = 3000;

/**
 * Looks for new rows while the first page of a list is in sight. Rows that are there already tell of their
 * changes themselves.
 */
export function useFreshList(
  isFirstPage: boolean,
  read: (options: { requestPolicy: 'network-only' }) => void,
): void {
  useEffect(() => {
    if (!isFirstPage) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && navigator.onLine) read({ requestPolicy: 'network-only' });
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isFirstPage, read]);
}
