import type { ReactNode } from 'react';
import { createContext, useContext, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';
import { Copyable } from './Copyable.tsx';
import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

interface ShownSecret {
  title: string;
  lead: string;
  secret: string;
  onClose?: () => void;
}

type ShowSecret = (shown: ShownSecret) => void;

const Context = createContext<ShowSecret>(() => undefined);

/** Shows a secret that cannot be read again. */
export const useShowSecret = (): ShowSecret => useContext(Context);

/** Keeps a secret in sight until the person is done with it, whatever becomes of the page meanwhile. */
export function SecretProvider({ children }: { children: ReactNode }) {
  const { common } = useTexts();
  const [shown, show] = useState<ShownSecret>();
  const close = (): void => {
    show(undefined);
    shown?.onClose?.();
  };
  return (
    <Context value={show}>
      {children}
      <Dialog title={shown?.title ?? ''} isOpen={shown !== undefined} onClose={close} isKept>
        <div className="dialog-body">
          <p>{shown?.lead}</p>
          <Copyable block value={shown?.secret ?? ''} what={shown?.title ?? ''} />
          <div className="notice warning">
            <Icon name="alert" />
            <p>{common.shownOnce}</p>
          </div>
        </div>
        <footer>
          <Button kind="primary" onPress={close}>
            {common.done}
          </Button>
        </footer>
      </Dialog>
    </Context>
  );
}
