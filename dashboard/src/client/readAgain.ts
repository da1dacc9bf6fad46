const CHANGED = 'dashboard:changed';

/** Has everything that the page shows read again: something changed, or might have while nobody listened. */
export function readAgain(): void {
  dispatchEvent(new Event(CHANGED));
}

/**
 * Calls back when everything is to be read again: on `readAgain`, when the network or the person comes back.
 */
export function onReadAgain(listener: () => void): () => void {
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') listener();
  };
  addEventListener(CHANGED, listener);
  addEventListener('online', listener);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener('online', listener);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
