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
import { differences, useEdits } from '../../ui/useEdits.ts';
import { PURPOSES } from '../customer/purposes.ts';
import { Identity } from './Identity.tsx';
import type { App } from './useApp.ts';
import { APP, useApp } from './useApp.ts';

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
      <Form app={app} />
      <Identity app={app} />
    </>
  );
}

function Form({ app }: { app: App }) {
  const { app: texts, common, purposes, scope } = useTexts();
  const { values, over, edit, settle } = useEdits(valuesOf(app));
  const tell = useTell();
  const update = useAction(UPDATE);
  const granted = grantedPurposes(app);
  const input = changesOf(app, values);
  const mayWrite = can('apps:write');
  const submit = async (): Promise<void> => {
    // Others may have saved since it was read, and a list is sent as a whole.
    const latest = (await update.look(APP, { id: app.id }))?.app;
    if (latest === undefined || latest === null) return;
    const changes = changesOf(latest, over(valuesOf(latest)));
    const isStored = Object.keys(changes).length === 0;
    if (!isStored && (await update.run({ id: app.id, input: changes })) === undefined) return;
    settle();
    tell(texts.updated);
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
            value={values.name}
            onChange={(name) => edit({ name })}
            maxLength={200}
            isReadOnly={!mayWrite}
            isRequired
          />
          <Field
            label={texts.redirectUris}
            name="redirectUris"
            hint={texts.redirectHint}
            value={values.redirectUris.join('\n')}
            onChange={(text) => edit({ redirectUris: text.split('\n') })}
            lines={Math.max(app.redirectUris.length + 1, 3)}
            isReadOnly={!mayWrite}
          />
          <CheckList
            label={texts.allowedPurposes}
            name="allowedConsentPurposes"
            hint={texts.allowedPurposesHint}
            value={values.allowedConsentPurposes}
            onChange={(allowedConsentPurposes) => edit({ allowedConsentPurposes })}
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
            value={values.allowedScopes}
            onChange={(allowedScopes) => edit({ allowedScopes })}
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

/** What the form shows. */
type Values = Record<'name', string> &
  Record<'redirectUris' | 'allowedConsentPurposes' | 'allowedScopes', string[]>;

function valuesOf(app: App): Values {
  return {
    name: app.name,
    /** One in each line. */
    redirectUris: app.redirectUris,
    allowedConsentPurposes: [...(app.allowedConsentPurposes ?? grantedPurposes(app))],
    allowedScopes: app.allowedScopes,
  };
}

function grantedPurposes(app: App): readonly ConsentPurpose[] {
  return app.grantedConsentPurposes ?? PURPOSES;
}

function changesOf(app: App, values: Values) {
  return differences(inputOf(app, valuesOf(app)), inputOf(app, values));
}

/** What the form's values are to the service. */
function inputOf(app: App, values: Values) {
  return {
    name: values.name.trim(),
    redirectUris: values.redirectUris.map((line) => line.trim()).filter(Boolean),
    allowedConsentPurposes: PURPOSES.filter((purpose) => values.allowedConsentPurposes.includes(purpose)),
    allowedScopes: app.grantedScopes.filter((one) => values.allowedScopes.includes(one)),
  };
}
