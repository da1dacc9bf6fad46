import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useShowSecret } from '../../ui/SecretDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import type { EndpointValues } from './EndpointForm.tsx';
import { EndpointForm } from './EndpointForm.tsx';

const REGISTER = graphql(`
  mutation RegisterEndpoint($input: RegisterWebhookEndpointInput!, $key: String!) {
    registerWebhookEndpoint(input: $input, idempotencyKey: $key) {
      signingSecret
      endpoint {
        id
        url
        status
        disabledReason
        enabledEvents
        createdAt
      }
    }
  }
`);

const NEW: EndpointValues = { url: '', enabledEvents: ['*'] };

/** Registers a receiver and shows its secret once. */
export function AddEndpoint() {
  const { webhooks: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const showSecret = useShowSecret();
  const [, navigate] = useLocation();
  const register = useAction(REGISTER);
  const close = (): void => {
    setOpen(false);
    register.reset();
  };
  const submit = async (input: EndpointValues): Promise<void> => {
    const payload = (await register.run({ input }))?.registerWebhookEndpoint;
    if (payload === undefined || payload === null) return;
    close();
    const { endpoint, signingSecret } = payload;
    showSecret({
      title: texts.secret,
      lead: texts.created,
      secret: signingSecret,
      onClose: () => navigate(`/webhooks/${endpoint.id}`),
    });
  };
  return (
    <>
      <Button kind="primary" icon="plus" onPress={() => setOpen(true)}>
        {texts.add}
      </Button>
      <Dialog title={texts.addTitle} isOpen={isOpen} onClose={close}>
        <EndpointForm
          initial={NEW}
          submit={texts.create}
          isRunning={register.isRunning}
          failure={register.failure}
          onSubmit={(over) => void submit(over(NEW))}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
