import { useState } from 'react';
import { graphql } from '../../gql/index.ts';
import type { ConsentPurpose } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { ActionForm } from '../../ui/ActionForm.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CheckList } from '../../ui/CheckList.tsx';
import { FailureNotice, InlineFailure } from '../../ui/FailureNotice.tsx';
import { Field } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';
import { PURPOSES } from '../customer/purposes.ts';
import { Identity } from './Identity.tsx';
import type { App } from './useApp.ts';
import { useApp } from './useApp.ts';

const UPDATE = graphql(`
  mutation UpdateApp($id: ID!, $input: UpdateAppInput!, $key: String!) {
    updateApp(id: $id, input: $input, idempotencyKey: $key) {
      id
      name
      redirectUris
      allowedScopes
      allowedConsentPurposes
      updatedAt
    }
  }
`);

/** What the app allows itself, within what the operator granted. */
export function Settings() {
  const { app, failure, retry } = useApp();
  if (failure !== undefined) return <FailureNotice failure={failure} onRetry={retry} />;
  if (app === undefined) return <Skeleton lines={10} />;
  return (
    <>
      <Form key={app.updatedAt} app={app} />
      <Identity app={app} />
    </>
  );
}

function Form({ app }: { app: App }) {
  const { app: texts, common, purposes, scope } = useTexts();
  const granted = app.grantedConsentPurposes ?? PURPOSES;
  const [name, setName] = useState(app.name);
  const [addresses, setAddresses] = useState(app.redirectUris.join('\n'));
  const [chosenPurposes, setPurposes] = useState<string[]>(app.allowedConsentPurposes ?? [...granted]);
  const [chosenScopes, setScopes] = useState<string[]>(app.allowedScopes);
  const tell = useTell();
  const update = useAction(UPDATE);
  const input = changes(app, {
    name: name.trim(),
    redirectUris: addresses
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    allowedConsentPurposes: PURPOSES.filter((purpose) => chosenPurposes.includes(purpose)),
    allowedScopes: app.grantedScopes.filter((one) => chosenScopes.includes(one)),
  });
  const mayWrite = can('apps:write');
  const submit = async (): Promise<void> => {
    if ((await update.run({ id: app.id, input })) !== undefined) tell(texts.updated);
  };
  return (
    <ActionForm failure={update.failure} onSubmit={() => void submit()}>
      <Card
        title={texts.tabs.settings}
        actions={<Badge tone={app.status === 'ACTIVE' ? 'good' : 'danger'}>{texts.status[app.status]}</Badge>}
      >
        <div className="form">
          <Field
            label={texts.name}
            name="name"
            value={name}
            onChange={setName}
            maxLength={200}
            isReadOnly={!mayWrite}
            isRequired
          />
          <Field
            label={texts.redirectUris}
            name="redirectUris"
            hint={texts.redirectHint}
            value={addresses}
            onChange={setAddresses}
            lines={Math.max(app.redirectUris.length + 1, 3)}
            isReadOnly={!mayWrite}
          />
          <CheckList
            label={texts.allowedPurposes}
            name="allowedConsentPurposes"
            hint={texts.allowedPurposesHint}
            value={chosenPurposes}
            onChange={setPurposes}
            options={PURPOSES.map((id) => ({
              id,
              label: purposes[id],
              note: granted.includes(id) ? undefined : texts.notGranted,
              isDisabled: !mayWrite || !granted.includes(id),
            }))}
          />
          <CheckList
            label={texts.allowedScopes}
            name="allowedScopes"
            hint={texts.allowedScopesHint}
            value={chosenScopes}
            onChange={setScopes}
            options={app.grantedScopes.map((id) => ({ id, label: id, isDisabled: !mayWrite }))}
          />
          <InlineFailure failure={update.failure} beside={Object.keys(input)} />
          <div className="form-end">
            {mayWrite ? (
              <Button
                kind="primary"
                type="submit"
                isPending={update.isRunning}
                isDisabled={Object.keys(input).length === 0}
              >
                {common.save}
              </Button>
            ) : (
              <p className="quiet">{scope.actionHidden('apps:write')}</p>
            )}
          </div>
        </div>
      </Card>
    </ActionForm>
  );
}

interface Values {
  name: string;
  redirectUris: string[];
  allowedConsentPurposes: ConsentPurpose[];
  allowedScopes: string[];
}

/** Only what differs is sent: what somebody else changed meanwhile stays. */
function changes(app: App, values: Values): Partial<Values> {
  const before: Values = {
    ...app,
    allowedConsentPurposes: [...(app.allowedConsentPurposes ?? app.grantedConsentPurposes ?? PURPOSES)],
  };
  const differs = (name: keyof Values): boolean => sorted(before[name]) !== sorted(values[name]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => differs(name as keyof Values)));
}

function sorted(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.toSorted().join('\n');
}
