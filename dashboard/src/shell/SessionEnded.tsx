import { useSyncExternalStore } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { sessionEnd } from '../client/renewSession.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from '../ui/Button.tsx';

/**
 * Asks the person to sign in again. Reloading leads to signing in and from there back to this very address.
 */
export function SessionEnded() {
  const { shell } = useTexts();
  const isEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.get);
  return (
    <ModalOverlay className="overlay box" isOpen={isEnded} isKeyboardDismissDisabled>
      <Modal className="modal box">
        <Dialog className="dialog" role="alertdialog">
          <header>
            <Heading slot="title">{shell.sessionEndedTitle}</Heading>
          </header>
          <div className="dialog-body">
            <p>{shell.sessionEnded}</p>
          </div>
          <footer>
            <Button kind="primary" autoFocus onPress={() => location.reload()}>
              {shell.signIn}
            </Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
