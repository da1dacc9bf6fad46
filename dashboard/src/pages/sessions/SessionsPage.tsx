import { usePolling } from '../../client/usePolling.ts';
import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { ConnectionSessionStatus } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Choice } from '../../ui/Choice.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { LiveBadge } from '../../ui/LiveBadge.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useQueryState } from '../../ui/useQueryState.ts';
import { LiveSession } from './useLiveSession.ts';
import { SessionsTable } from './SessionsTable.tsx';
import { StartSession } from './StartSession.tsx';

const SESSIONS = graphql(`
  query Sessions($status: ConnectionSessionStatus, $after: String) {
    connectionSessions(status: $status, first: 25, after: $after) {
      totalCount
      nodes {
        id
        status
        customerId
        requestedPurposes
        createdAt
        expiresAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const STATUSES: readonly ConnectionSessionStatus[] = [
  'CREATED',
  'AUTHORIZED',
  'COMPLETED',
  'EXPIRED',
  'REVOKED',
];
const ANY = 'ANY';

/** Every link by which people were asked. */
export default function SessionsPage() {
  const { sessions: texts } = useTexts();
  return (
    <>
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={
          <>
            {can('connections:read') && <LiveBadge />}
            {can('connections:write') && <StartSession />}
          </>
        }
      />
      {can('connections:read') ? <List /> : <MissingScope scopes={['connections:read']} />}
    </>
  );
}

function List() {
  const { sessions: texts, sessionStatus, common } = useTexts();
  const format = useFormat();
  const [get, set] = useQueryState();
  const pages = usePages();
  const status = STATUSES.find((one) => one === get('status')) ?? null;
  const [result, read] = useQuery({ query: SESSIONS, variables: { status, after: pages.after } });
  usePolling(pages.after === null, read);
  const failure = failureOf(result.error, 'connectionSessions');
  const list = result.data?.connectionSessions;
  return (
    <>
      <div className="filters">
        <Choice
          label={common.status}
          options={[
            { id: ANY, label: common.all },
            ...STATUSES.map((id) => ({ id, label: sessionStatus[id] })),
          ]}
          value={status ?? ANY}
          onChange={(id) => set({ status: id === ANY ? undefined : id, after: undefined })}
        />
      </div>
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {failure === undefined && list === undefined && <Skeleton lines={8} />}
      {list?.nodes.length === 0 && (
        <EmptyState icon="sessions" title={status === null ? texts.emptyTitle : texts.nothingFoundTitle}>
          {status === null && texts.empty}
        </EmptyState>
      )}
      {list !== undefined && list.nodes.length > 0 && (
        <>
          {list.nodes.map((session) => (
            <LiveSession key={session.id} id={session.id} status={session.status} />
          ))}
          <SessionsTable label={texts.title} items={list.nodes} />
          <Pager
            count={list.nodes.length}
            total={list.totalCount === null ? undefined : common.total(format.number(list.totalCount))}
            {...pages.pager(list.pageInfo)}
          />
        </>
      )}
    </>
  );
}
