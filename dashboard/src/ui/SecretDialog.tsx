import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';
import { Copyable } from './Copyable.tsx';
import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

interface Props {
  title: string;
  lead: string;
  /** None: closed. */
  secret: string | undefined;
  what: string;
  onClose: () => void;
}

/** A secret that is shown once. It is kept for as long as the dialog is open. */
export function SecretDialog({ title, lead, secret, what, onClose }: Props) {
  const { common } = useTexts();
  return (
    <Dialog title={title} isOpen={secret !== undefined} onClose={onClose} isKept>
      <div className="dialog-body">
        <p>{lead}</p>
        <Copyable block value={secret ?? ''} what={what} />
        <div className="notice warning">
          <Icon name="alert" />
          <p>{common.shownOnce}</p>
        </div>
      </div>
      <footer>
        <Button kind="primary" onPress={onClose}>
          {common.done}
        </Button>
      </footer>
    </Dialog>
  );
}
