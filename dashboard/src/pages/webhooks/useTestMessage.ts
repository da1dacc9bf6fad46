import { readAgain } from '../../client/readAgain.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';

const TEST = graphql(`
  mutation TestEndpoint($id: ID!, $key: String!) {
    testWebhookEndpoint(id: $id, idempotencyKey: $key) {
      deliveryId
      workflowId
    }
  }
`);

/** Sends a test message to an endpoint, and reads the page again: nobody may be listening yet. */
export function useTestMessage(id: string): { isRunning: boolean; send: () => Promise<void> } {
  const { webhooks: texts, common, failures } = useTexts();
  const tell = useTell();
  const test = useAction(TEST);
  const send = async (): Promise<void> => {
    const done = await test.run({ id }, (failure) =>
      tell(`${common.actionFailed}: ${failures[failure.code] ?? failure.message}`),
    );
    if (done === undefined) return;
    tell(texts.testDone);
    readAgain();
  };
  return { isRunning: test.isRunning, send };
}
