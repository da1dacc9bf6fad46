import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** A `drawer` stands at the side and leaves the page in sight. */
  shape?: 'box' | 'drawer';
  /** Holds something that is lost when it closes: a click beside it and Escape do nothing. */
  isKept?: boolean;
  children: ReactNode;
}

/** A dialog over the page: focus stays in it, closing it, as by Escape, gives the focus back. */
export function Dialog({ title, isOpen, onClose, shape = 'box', isKept = false, children }: Props) {
  const { common } = useTexts();
  const onOpenChange = (open: boolean): void => {
    if (!open) onClose();
  };
  return (
    <ModalOverlay
      className={`overlay ${shape}`}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={!isKept}
      isKeyboardDismissDisabled={isKept}
    >
      <Modal className={`modal ${shape}`}>
        <AriaDialog className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            <Button kind="quiet" icon="close" aria-label={common.close} onPress={onClose} />
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
