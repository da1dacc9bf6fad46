import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useAppName } from '../client/useAppName.ts';
import { useSessionEnd } from '../client/useSessionEnd.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from '../ui/Button.tsx';

/**
 * Asks the person to sign in again, or tells that another app is open in this browser. Reloading leads to
 * signing in and from there back to this very address, or opens the address for the other app.
 */
export function SessionEnded() {
  const { shell } = useTexts();
  const appName = useAppName();
  const ended = useSessionEnd();
  const isOtherApp = ended === 'otherApp';
  return (
    <ModalOverlay className="overlay box" isOpen={ended !== undefined} isKeyboardDismissDisabled>
      <Modal className="modal box">
        <Dialog className="dialog" role="alertdialog">
          <header>
            <Heading slot="title">{isOtherApp ? shell.otherAppTitle : shell.sessionEndedTitle}</Heading>
          </header>
          <div className="dialog-body">
            <p>{isOtherApp ? shell.otherAppOpen(appName) : shell.sessionEnded}</p>
          </div>
          <footer>
            <Button kind="primary" autoFocus onPress={() => location.reload()}>
              {isOtherApp ? shell.otherAppReload : shell.signIn}
            </Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
