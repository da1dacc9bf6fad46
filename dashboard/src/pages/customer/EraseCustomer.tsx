import { useLocation } from 'wouter';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { useTell } from '../../ui/Toasts.tsx';

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
  const [, navigate] = useLocation();
  const tell = useTell();
  return (
    <ConfirmAction
      document={ERASE}
      variables={{ id }}
      look="quiet"
      label={texts.erase}
      title={texts.eraseTitle}
      lead={texts.eraseLead(`\u2068${name}\u2069`)}
      confirm={texts.eraseConfirm}
      onDone={() => {
        tell(texts.eraseDone);
        navigate('/customers', { replace: true });
      }}
    />
  );
}
