import type { ReactNode } from 'react';
import type { Failure } from '../client/failure.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { InlineFailure } from './FailureNotice.tsx';

interface Props {
  title: string;
  lead: string;
  confirm: string;
  isOpen: boolean;
  isRunning: boolean;
  isDisabled?: boolean;
  failure: Failure | undefined;
  kind?: 'danger' | 'primary';
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before something that matters, says what it will do, and shows why it failed. */
export function Confirm(props: Props) {
  const { common } = useTexts();
  const { kind = 'danger', isRunning, isDisabled = false } = props;
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <div className="dialog-body">
        <p>{props.lead}</p>
        {props.children}
        <InlineFailure failure={props.failure} />
      </div>
      <footer>
        <Button onPress={props.onClose}>{common.cancel}</Button>
        <Button kind={kind} isPending={isRunning} isDisabled={isDisabled} onPress={props.onConfirm}>
          {props.confirm}
        </Button>
      </footer>
    </Dialog>
  );
}
