import { useClient } from 'urql';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { InlineFailure } from '../../ui/FailureNotice.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';
import { DELIVERIES } from './deliveriesQuery.ts';

const REDELIVER = graphql(`
  mutation Redeliver($id: ID!, $deliveryId: ID!, $key: String!) {
    redeliverWebhook(id: $id, deliveryId: $deliveryId, idempotencyKey: $key) {
      deliveryId
      workflowId
    }
  }
`);

/** Sends a message again, under its own id: receivers can tell the repeat, so nothing is asked first. */
export function Redeliver({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const { webhooks: texts } = useTexts();
  const tell = useTell();
  const client = useClient();
  const redeliver = useAction(REDELIVER);
  const send = async (): Promise<void> => {
    if ((await redeliver.run({ id: endpointId, deliveryId })) === undefined) return;
    tell(texts.redeliverDone);
    const variables = { endpointId, status: null, after: null };
    await client.query(DELIVERIES, variables, { requestPolicy: 'network-only' }).toPromise();
  };
  return (
    <>
      <Button isPending={redeliver.isRunning} onPress={() => void send()}>
        {texts.redeliver}
      </Button>
      <InlineFailure failure={redeliver.failure} />
    </>
  );
}
