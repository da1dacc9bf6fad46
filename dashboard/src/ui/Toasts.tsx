import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

interface Toast {
  id: number;
  text: string;
  link?: ReactNode;
}

type Tell = (text: string, link?: ReactNode) => void;

const Context = createContext<Tell>(() => undefined);

const SHOWN_MS = 8000;

/** Says what an action did, to eyes and to screen readers. */
export const useTell = (): Tell => useContext(Context);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const { common } = useTexts();
  const remove = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const tell = useMemo<Tell>(() => {
    let last = 0;
    return (text, link) => {
      const id = (last += 1);
      setToasts((shown) => [...shown.slice(-2), { id, text, link }]);
      setTimeout(() => remove(id), SHOWN_MS);
    };
  }, [remove]);
  return (
    <Context value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <div key={toast.id} className="toast">
            <Icon name="check" />
            <div>
              {toast.text} {toast.link}
            </div>
            <Button kind="quiet" icon="close" aria-label={common.close} onPress={() => remove(toast.id)} />
          </div>
        ))}
      </div>
    </Context>
  );
}
