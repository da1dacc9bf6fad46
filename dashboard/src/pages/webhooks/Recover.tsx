import { useState } from 'react';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { useTell } from '../../ui/Toasts.tsx';

const RECOVER = graphql(`
  mutation Recover($id: ID!, $input: RecoverWebhooksInput!, $key: String!) {
    recoverWebhooks(id: $id, input: $input, idempotencyKey: $key) {
      recovered
      hasMore
    }
  }
`);

const HOURS = [1, 6, 24, 72];

/** Sends again what failed since a while. */
export function Recover({ id }: { id: string }) {
  const { webhooks: texts } = useTexts();
  const tell = useTell();
  const [hours, setHours] = useState('24');
  // Once per question: asked again, it has to be the same request.
  const [now, setNow] = useState(Date.now);
  const since = new Date(now - Number(hours) * 3_600_000).toISOString();
  return (
    <ConfirmAction
      document={RECOVER}
      variables={{ id, input: { since } }}
      look="quiet"
      kind="primary"
      label={texts.recover}
      title={texts.recoverTitle}
      lead={texts.recoverLead}
      confirm={texts.recoverConfirm}
      onOpen={() => setNow(Date.now())}
      onDone={({ recoverWebhooks }) => {
        const done = texts.recoverDone(recoverWebhooks?.recovered ?? 0);
        tell(recoverWebhooks?.hasMore === true ? `${done} ${texts.recoverMore}` : done);
      }}
    >
      <Choice
        label={texts.recoverSince}
        options={HOURS.map((count) => ({ id: String(count), label: texts.hours(count) }))}
        value={hours}
        onChange={setHours}
      />
    </ConfirmAction>
  );
}
