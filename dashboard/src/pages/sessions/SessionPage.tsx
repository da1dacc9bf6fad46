import { useQuery } from '../../client/useQuery.ts';
import { Link, useParams } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { SessionQuery } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { LiveBadge } from '../../ui/LiveBadge.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { linkOf } from './links.ts';
import { Progress } from './Progress.tsx';
import { QrCode } from './QrCode.tsx';
import { RecordConsent } from './RecordConsent.tsx';
import { useLiveSession } from './useLiveSession.ts';
import { SessionState } from './SessionState.tsx';

const SESSION = graphql(`
  query Session($id: ID!) {
    connectionSession(id: $id) {
      id
      status
      customerId
      requestedPurposes
      approvedPurposes
      consentReceiptId
      serviceUserId
      createdAt
      expiresAt
    }
  }
`);

const CANCEL = graphql(`
  mutation CancelSession($id: ID!, $key: String!) {
    cancelConnectionSession(id: $id, idempotencyKey: $key) {
      id
      status
    }
  }
`);

export type Session = NonNullable<SessionQuery['connectionSession']>;

/** One link, from created to completed. */
export default function SessionPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { sessions: texts } = useTexts();
  const [result, read] = useQuery({ query: SESSION, variables: { id }, pause: !can('connections:read') });
  const session = result.data?.connectionSession;
  const failure = failureOf(result.error, 'connectionSession');
  useLiveSession(id, session?.status);
  const isOpen = session?.status === 'CREATED' || session?.status === 'AUTHORIZED';
  return (
    <>
      <PageHeader
        title={id}
        above={<Link href="/sessions">{texts.title}</Link>}
        actions={
          isOpen && (
            <>
              <LiveBadge />
              {can('connections:write') && <Cancel id={id} />}
            </>
          )
        }
      />
      {!can('connections:read') && <MissingScope scopes={['connections:read']} />}
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {can('connections:read') && failure === undefined && (session === undefined || session === null) && (
        <Skeleton />
      )}
      {session && <Found session={session} />}
    </>
  );
}

function Found({ session }: { session: Session }) {
  const { sessions: texts, sessionStatusHint, common, purposes } = useTexts();
  const link = session.status === 'CREATED' ? linkOf(session.id) : undefined;
  const names = (list: readonly Session['requestedPurposes'][number][]) =>
    list.map((purpose) => <Badge key={purpose}>{purposes[purpose]}</Badge>);
  return (
    <div className={link === undefined ? undefined : 'with-aside'}>
      <Card title={texts.progress} lead={sessionStatusHint[session.status]}>
        <Progress status={session.status} />
        {session.status === 'AUTHORIZED' && can('consent:write') && <RecordConsent session={session} />}
        <dl className="details">
          <div className="pair">
            <dt>{common.status}</dt>
            <dd>
              <SessionState status={session.status} />
            </dd>
          </div>
          <div className="pair">
            <dt>{common.customer}</dt>
            <dd>
              <Link href={`/customers/${session.customerId}`}>
                <code>{session.customerId}</code>
              </Link>
            </dd>
          </div>
          <div className="pair">
            <dt>{texts.requested}</dt>
            <dd className="badges">{names(session.requestedPurposes)}</dd>
          </div>
          {session.approvedPurposes !== null && (
            <div className="pair">
              <dt>{texts.approved}</dt>
              <dd className="badges">{names(session.approvedPurposes)}</dd>
            </div>
          )}
          {session.consentReceiptId !== null && (
            <div className="pair">
              <dt>{texts.receipt}</dt>
              <dd>
                <Copyable value={session.consentReceiptId} what={texts.receipt} />
              </dd>
            </div>
          )}
          <div className="pair">
            <dt>{common.created}</dt>
            <dd>
              <Moment at={session.createdAt} seconds />
            </dd>
          </div>
          <div className="pair">
            <dt>{texts.expires}</dt>
            <dd>
              <Moment at={session.expiresAt} seconds />
            </dd>
          </div>
        </dl>
      </Card>
      {link !== undefined && (
        <Card title={texts.link} lead={texts.scan}>
          <QrCode text={link} label={texts.qrLabel} />
          <Copyable block value={link} what={texts.link} />
          <p className="quiet small">{common.shownOnce}</p>
        </Card>
      )}
    </div>
  );
}

function Cancel({ id }: { id: string }) {
  const { sessions: texts } = useTexts();
  const tell = useTell();
  return (
    <ConfirmAction
      document={CANCEL}
      variables={{ id }}
      label={texts.cancelAction}
      title={texts.cancelTitle}
      lead={texts.cancelLead}
      confirm={texts.cancelConfirm}
      onDone={() => tell(texts.cancelDone)}
    />
  );
}
