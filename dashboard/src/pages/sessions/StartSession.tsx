import { useState } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { useLocation } from 'wouter';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can, session } from '../../session.ts';
import { ActionForm } from '../../ui/ActionForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckList } from '../../ui/CheckList.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InlineFailure } from '../../ui/FailureNotice.tsx';
import { Field } from '../../ui/Field.tsx';
import { useAction } from '../../ui/useAction.ts';
import { PURPOSES } from '../customer/purposes.ts';
import { rememberLink } from './links.ts';

const START = graphql(`
  mutation StartSession($input: CreateConnectionSessionInput!, $key: String!) {
    createConnectionSession(input: $input, idempotencyKey: $key) {
      connectionUrl
      session {
        id
        status
        customerId
        requestedPurposes
        createdAt
        expiresAt
      }
    }
  }
`);

const REDIRECTS = graphql(`
  query RedirectAddresses($id: ID!) {
    app(id: $id) {
      id
      redirectUris
      allowedConsentPurposes
    }
  }
`);

const CLOSING_PAGE = 'none';
const MINUTES = [5, 15, 30, 60];

/** Begins a connection session and goes to its page, which shows the link. */
export function StartSession({ customerId: fixed }: { customerId?: string }) {
  const { sessions: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" icon="plus" onPress={() => setOpen(true)}>
        {texts.start}
      </Button>
      <Dialog title={texts.startTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        <StartForm fixed={fixed} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function StartForm({ fixed, onClose }: { fixed: string | undefined; onClose: () => void }) {
  const { sessions: texts, purposes, common } = useTexts();
  const [customerId, setCustomerId] = useState(fixed ?? '');
  const [chosen, setChosen] = useState<string[]>(['ACCOUNT_LINKING', 'PROFILE_RESOLUTION']);
  const [minutes, setMinutes] = useState('30');
  const [redirect, setRedirect] = useState(CLOSING_PAGE);
  const [, navigate] = useLocation();
  const start = useAction(START);
  const [{ data }] = useQuery({
    query: REDIRECTS,
    variables: { id: session.app.id },
    pause: !can('apps:read'),
  });
  const allowed = data?.app?.allowedConsentPurposes ?? PURPOSES;
  const offered = PURPOSES.filter((purpose) => allowed.includes(purpose));
  const requested = offered.filter((purpose) => chosen.includes(purpose));
  const submit = async (): Promise<void> => {
    const done = await start.run({
      input: {
        customerId: customerId.trim(),
        requestedPurposes: requested,
        expiresIn: Number(minutes) * 60,
        ...(redirect === CLOSING_PAGE ? {} : { redirectUri: redirect }),
      },
    });
    const made = done?.createConnectionSession;
    if (made === undefined || made === null) return;
    rememberLink(made.session.id, made.connectionUrl);
    navigate(`/sessions/${made.session.id}`);
  };
  const addresses = (data?.app?.redirectUris ?? []).map((id) => ({ id, label: id }));
  return (
    <ActionForm failure={start.failure} onSubmit={() => void submit()}>
      <div className="dialog-body">
        <p>{texts.startLead}</p>
        {fixed === undefined && (
          <Field
            label={texts.customerId}
            name="customerId"
            hint={texts.customerIdHint}
            value={customerId}
            onChange={setCustomerId}
            isRequired
          />
        )}
        <CheckList
          label={texts.purposes}
          name="requestedPurposes"
          options={offered.map((id) => ({ id, label: purposes[id] }))}
          value={requested}
          onChange={setChosen}
        />
        <Choice
          label={texts.lifetime}
          options={MINUTES.map((count) => ({ id: String(count), label: texts.minutes(count) }))}
          value={minutes}
          onChange={setMinutes}
        />
        {addresses.length > 0 && (
          <Choice
            label={texts.redirect}
            options={[{ id: CLOSING_PAGE, label: texts.noRedirect }, ...addresses]}
            value={redirect}
            onChange={setRedirect}
          />
        )}
        <InlineFailure
          failure={start.failure}
          beside={fixed === undefined ? ['customerId', 'requestedPurposes'] : ['requestedPurposes']}
        />
      </div>
      <footer>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          kind="primary"
          type="submit"
          isPending={start.isRunning}
          isDisabled={requested.length === 0 || customerId === ''}
        >
          {texts.create}
        </Button>
      </footer>
    </ActionForm>
  );
}
