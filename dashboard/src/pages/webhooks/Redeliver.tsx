import { readAgain } from '../../client/readAgain.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { InlineFailure } from '../../ui/FailureNotice.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';

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
  const redeliver = useAction(REDELIVER);
  const send = async (): Promise<void> => {
    const done = await redeliver.run({ id: endpointId, deliveryId });
    if (done === undefined) return;
    tell(texts.redeliverDone);
    readAgain();
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
