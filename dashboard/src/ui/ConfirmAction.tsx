import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { Button } from './Button.tsx';
import { Confirm } from './Confirm.tsx';
import { useAction } from './useAction.ts';

interface Props<Data, Variables extends AnyVariables & { key: string }> {
  document: TypedDocumentNode<Data, Variables>;
  variables: Omit<Variables, 'key'>;
  /** What the button says; an ellipsis tells that it asks first. */
  label: string;
  title: string;
  lead: string;
  confirm: string;
  kind?: 'danger' | 'primary';
  look?: 'plain' | 'quiet';
  /** More to choose within the dialog. */
  children?: ReactNode;
  /** The question is asked. */
  onOpen?: () => void;
  onDone: (data: Data) => void;
}

/** A button whose action is asked about first. */
export function ConfirmAction<Data, Variables extends AnyVariables & { key: string }>(
  props: Props<Data, Variables>,
) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction(props.document);
  const open = (): void => {
    props.onOpen?.();
    setOpen(true);
  };
  const close = (): void => {
    setOpen(false);
    action.reset();
  };
  const confirm = async (): Promise<void> => {
    const data = await action.run(props.variables);
    if (data === undefined) return;
    close();
    props.onDone(data);
  };
  return (
    <>
      <Button kind={props.look ?? 'plain'} onPress={open}>
        {props.label}
      </Button>
      <Confirm
        title={props.title}
        lead={props.lead}
        confirm={props.confirm}
        kind={props.kind ?? 'danger'}
        isOpen={isOpen}
        isRunning={action.isRunning}
        failure={action.failure}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        {props.children}
      </Confirm>
    </>
  );
}
