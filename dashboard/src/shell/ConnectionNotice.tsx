import { useSyncExternalStore } from 'react';
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
  return (
    <div className="connection" role="status">
      {!isOnline && (
        <p>
          <Icon name="alert" /> {common.offline}
        </p>
      )}
    </div>
  );
}
