import { useSyncExternalStore } from 'react';
import { outdated } from '../client/outdated.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Icon } from '../ui/Icon.tsx';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that what is on the page may be old. */
export function ConnectionNotice() {
  const { common } = useTexts();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isOutdated = useSyncExternalStore(outdated.subscribe, () => outdated.get().size > 0);
  return (
    <div className="connection" role="status">
      {(!isOnline || isOutdated) && (
        <p>
          <Icon name="alert" /> {isOnline ? common.outdated : common.offline}
        </p>
      )}
    </div>
  );
}
