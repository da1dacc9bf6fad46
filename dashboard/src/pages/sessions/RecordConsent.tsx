import { useClient } from 'urql';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { InlineFailure } from '../../ui/FailureNotice.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';
import type { Session } from './SessionPage.tsx';

const RECORD = graphql(`
  mutation RecordConsent($input: CreateConsentReceiptInput!, $key: String!) {
    createConsentReceipt(input: $input, idempotencyKey: $key) {
      id
      status
      connectionSessionId
    }
  }
`);

const AGAIN = graphql(`
  query SessionAfterReceipt($id: ID!) {
    connectionSession(id: $id) {
      id
      status
      consentReceiptId
    }
  }
`);

/** Records what the person approved, which completes the session. */
export function RecordConsent({ session }: { session: Session }) {
  const { sessions: texts } = useTexts();
  const tell = useTell();
  const client = useClient();
  const record = useAction(RECORD);
  const purposes = session.approvedPurposes ?? [];
  const submit = async (): Promise<void> => {
    const { id, customerId } = session;
    const done = await record.run({
      input: { customerId, connectionSessionId: id, purposes: [...purposes] },
    });
    if (done === undefined) return;
    tell(texts.recordDone);
    await client.query(AGAIN, { id }, { requestPolicy: 'network-only' }).toPromise();
  };
  return (
    <div className="call">
      <Button
        kind="primary"
        isPending={record.isRunning}
        isDisabled={purposes.length === 0}
        onPress={() => void submit()}
      >
        {texts.recordConsent}
      </Button>
      <InlineFailure failure={record.failure} />
    </div>
  );
}
