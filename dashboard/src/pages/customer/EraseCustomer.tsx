import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';

const ERASE = graphql(`
  mutation EraseCustomer($id: ID!, $key: String!) {
    deleteCustomer(id: $id, idempotencyKey: $key) {
      id
    }
  }
`);

/** Erases the customer, after asking. */
export function EraseCustomer({ id, name }: { id: string; name: string }) {
  const { customer: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const tell = useTell();
  const erase = useAction(ERASE);
  const close = (): void => {
    setOpen(false);
    erase.reset();
  };
  const confirm = async (): Promise<void> => {
    if ((await erase.run({ id })) === undefined) return;
    tell(texts.eraseDone);
    navigate('/customers', { replace: true });
  };
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {texts.erase}
      </Button>
      <Confirm
        title={texts.eraseTitle}
        lead={texts.eraseLead(name)}
        confirm={texts.eraseConfirm}
        isOpen={isOpen}
        isRunning={erase.isRunning}
        failure={erase.failure}
        onConfirm={() => void confirm()}
        onClose={close}
      />
    </>
  );
}
