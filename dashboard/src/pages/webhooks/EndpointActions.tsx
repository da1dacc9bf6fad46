import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../gql/index.ts';
import type { RotateEndpointSecretMutation } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useShowSecret } from '../../ui/SecretDialog.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';
import { differences } from '../../ui/useEdits.ts';
import type { EndpointValues } from './EndpointForm.tsx';
import { EndpointForm } from './EndpointForm.tsx';
import type { Endpoint } from './endpointQuery.ts';
import { ENDPOINT } from './endpointQuery.ts';
import { Recover } from './Recover.tsx';
import { useTestMessage } from './useTestMessage.ts';

const UPDATE = graphql(`
  mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!, $key: String!) {
    updateWebhookEndpoint(id: $id, input: $input, idempotencyKey: $key) {
      id
      url
      status
      disabledReason
      enabledEvents
      updatedAt
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateEndpointSecret($id: ID!, $key: String!) {
    rotateWebhookSecret(id: $id, idempotencyKey: $key) {
      signingSecret
      endpoint {
        id
        updatedAt
      }
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteEndpoint($id: ID!, $key: String!) {
    deleteWebhookEndpoint(id: $id, idempotencyKey: $key) {
      id
    }
  }
`);

/** What can be done with a receiver. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { webhooks: texts } = useTexts();
  const [, navigate] = useLocation();
  const tell = useTell();
  const { id } = endpoint;
  return (
    <>
      {endpoint.status === 'ACTIVE' ? <SendTest id={id} /> : <Enable id={id} />}
      <Edit endpoint={endpoint} />
      <Rotate id={id} />
      <Recover id={id} />
      {endpoint.status === 'ACTIVE' && (
        <ConfirmAction
          document={UPDATE}
          variables={{ id, input: { status: 'DISABLED' as const } }}
          look="quiet"
          label={texts.disable}
          title={texts.disableTitle}
          lead={texts.disableLead}
          confirm={texts.disableConfirm}
          onDone={() => tell(texts.disableDone)}
        />
      )}
      <ConfirmAction
        document={DELETE}
        variables={{ id }}
        look="quiet"
        label={texts.remove}
        title={texts.removeTitle}
        lead={texts.removeLead}
        confirm={texts.removeConfirm}
        onDone={() => {
          tell(texts.removeDone);
          navigate('/webhooks', { replace: true });
        }}
      />
    </>
  );
}

function SendTest({ id }: { id: string }) {
  const { webhooks: texts } = useTexts();
  const test = useTestMessage(id);
  return (
    <Button kind="primary" isPending={test.isRunning} onPress={() => void test.send()}>
      {texts.test}
    </Button>
  );
}

function Enable({ id }: { id: string }) {
  const { webhooks: texts, common, failures } = useTexts();
  const tell = useTell();
  const update = useAction(UPDATE);
  const enable = async (): Promise<void> => {
    const done = await update.run({ id, input: { status: 'ACTIVE' } });
    if (done !== undefined) tell(texts.enableDone);
  };
  return (
    <>
      <Button kind="primary" isPending={update.isRunning} onPress={() => void enable()}>
        {texts.enable}
      </Button>
      {update.failure !== undefined && (
        <span role="alert" className="danger-text">
          {common.actionFailed}: {failures[update.failure.code] ?? update.failure.message}
        </span>
      )}
    </>
  );
}

function Edit({ endpoint }: { endpoint: Endpoint }) {
  const { webhooks: texts, common } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const tell = useTell();
  const update = useAction(UPDATE);
  const close = (): void => {
    setOpen(false);
    update.reset();
  };
  const save = async (over: (now: EndpointValues) => EndpointValues): Promise<void> => {
    // Others may have saved since it was read, and the events are sent as a whole.
    const latest = (await update.look(ENDPOINT, { id: endpoint.id }))?.webhookEndpoint;
    if (latest === undefined || latest === null) return;
    const input = differences<EndpointValues>(latest, over(latest));
    if (Object.keys(input).length > 0) {
      if ((await update.run({ id: endpoint.id, input })) === undefined) return;
      tell(common.saved);
    }
    close();
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.edit}</Button>
      <Dialog title={texts.editTitle} isOpen={isOpen} onClose={close}>
        <EndpointForm
          initial={endpoint}
          submit={common.save}
          isRunning={update.isRunning}
          failure={update.failure}
          onSubmit={(over) => void save(over)}
          onClose={close}
        />
      </Dialog>
    </>
  );
}

function Rotate({ id }: { id: string }) {
  const { webhooks: texts } = useTexts();
  const showSecret = useShowSecret();
  const show = ({ rotateWebhookSecret: rotated }: RotateEndpointSecretMutation): void => {
    if (rotated === null) return;
    showSecret({ title: texts.secret, lead: texts.rotateDone, secret: rotated.signingSecret });
  };
  return (
    <ConfirmAction
      document={ROTATE}
      variables={{ id }}
      kind="primary"
      label={texts.rotate}
      title={texts.rotateTitle}
      lead={texts.rotateLead}
      confirm={texts.rotateConfirm}
      onDone={show}
    />
  );
}
