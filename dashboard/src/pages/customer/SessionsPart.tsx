import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { SessionsTable } from '../sessions/SessionsTable.tsx';
import { StartSession } from '../sessions/StartSession.tsx';

const SESSIONS = graphql(`
  query CustomerSessions($id: ID!, $after: String) {
    customer(id: $id) {
      id
      connectionSessions(first: 25, after: $after) {
        nodes {
          id
          status
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
  }
`);

/** The links by which this customer was asked. */
export function SessionsPart({ customerId }: { customerId: string }) {
  if (!can('connections:read')) return <MissingScope scopes={['connections:read']} />;
  return <Sessions customerId={customerId} />;
}

function Sessions({ customerId }: { customerId: string }) {
  const { customer: texts } = useTexts();
  const pages = usePages();
  const [result, read] = useQuery({ query: SESSIONS, variables: { id: customerId, after: pages.after } });
  const failure = failureOf(result.error, 'connectionSessions');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.customer?.connectionSessions;
  if (list === undefined || list === null) return <Skeleton lines={6} />;
  return (
    <>
      {can('connections:write') && (
        <div className="toolbar">
          <StartSession customerId={customerId} />
        </div>
      )}
      {list.nodes.length === 0 && (
        <EmptyState icon="sessions" title={texts.noSessionsTitle}>
          {texts.noSessions}
        </EmptyState>
      )}
      {list.nodes.length > 0 && (
        <>
          <SessionsTable label={texts.tabs.sessions} items={list.nodes} />
          <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
        </>
      )}
    </>
  );
}
