import { useState } from 'react';
import { graphql } from '../../gql/index.ts';
import type { RotateAppSecretMutation, SecretExpiry } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { useShowSecret } from '../../ui/SecretDialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useApp } from './useApp.ts';

const ROTATE = graphql(`
  mutation RotateAppSecret($id: ID!, $input: RotateAppSecretInput!, $key: String!) {
    rotateAppSecret(id: $id, input: $input, idempotencyKey: $key) {
      clientSecret
      app {
        id
        updatedAt
      }
    }
  }
`);

/** How the app proves itself. */
export function Credentials() {
  const { app: texts, common, scope } = useTexts();
  const { app, failure, retry } = useApp();
  if (failure !== undefined) return <FailureNotice failure={failure} onRetry={retry} />;
  if (app === undefined) return <Skeleton lines={4} />;
  return (
    <Card title={texts.tabs.credentials}>
      <dl className="details">
        <div className="pair">
          <dt>{texts.clientId}</dt>
          <dd>
            <Copyable value={app.clientId} what={texts.clientId} />
          </dd>
        </div>
        <div className="pair">
          <dt>{texts.clientType}</dt>
          <dd>{texts.clientTypes[app.clientType]}</dd>
        </div>
        <div className="pair">
          <dt>{texts.clientSecret}</dt>
          <dd className="stack">
            {app.clientType === 'PUBLIC' ? texts.publicClient : texts.secretHidden}
            {app.clientType === 'CONFIDENTIAL' && can('apps:write') && <Rotate id={app.id} />}
            {!can('apps:write') && <span className="quiet">{scope.actionHidden('apps:write')}</span>}
          </dd>
        </div>
        <div className="pair">
          <dt>{common.created}</dt>
          <dd>
            <Moment at={app.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Rotate({ id }: { id: string }) {
  const { app: texts } = useTexts();
  const [expireCurrent, setExpiry] = useState<SecretExpiry>('IN_24H');
  const showSecret = useShowSecret();
  const show = ({ rotateAppSecret: rotated }: RotateAppSecretMutation): void => {
    if (rotated === null) return;
    showSecret({ title: texts.clientSecret, lead: texts.rotateDone, secret: rotated.clientSecret });
  };
  return (
    <div>
      <ConfirmAction
        document={ROTATE}
        variables={{ id, input: { expireCurrent } }}
        kind={expireCurrent === 'NOW' ? 'danger' : 'primary'}
        label={texts.rotate}
        title={texts.rotateTitle}
        lead={texts.rotateLead}
        confirm={texts.rotateConfirm}
        onDone={show}
      >
        <Choice
          label={texts.rotateWhen}
          options={[
            { id: 'IN_24H', label: texts.rotateIn24h },
            { id: 'NOW', label: texts.rotateNow },
          ]}
          value={expireCurrent}
          onChange={(chosen) => setExpiry(chosen === 'NOW' ? 'NOW' : 'IN_24H')}
        />
      </ConfirmAction>
    </div>
  );
}
