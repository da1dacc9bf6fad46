import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';

const MEMBERS = graphql(`
  query Members($after: String) {
    appMembers(first: 25, after: $after) {
      nodes {
        accountId
        email
        scopes
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** Who can sign in for the app, and the most that each can do. */
export function Members() {
  const { app: texts } = useTexts();
  const pages = usePages();
  const [result, read] = useQuery({ query: MEMBERS, variables: { after: pages.after } });
  const failure = failureOf(result.error, 'appMembers');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.appMembers;
  if (list === undefined) return <Skeleton />;
  return (
    <Card flush title={texts.members} lead={texts.membersLead}>
      <DataTable
        label={texts.members}
        items={list.nodes}
        keyOf={({ accountId }) => accountId}
        columns={[
          { key: 'email', title: texts.email, cell: ({ email }) => <span className="email">{email}</span> },
          {
            key: 'scopes',
            title: texts.scopes,
            grow: true,
            cell: ({ scopes }) => (
              <span className="badges">
                {scopes.map((scope) => (
                  <Badge key={scope}>{scope}</Badge>
                ))}
              </span>
            ),
          },
          {
            key: 'since',
            title: texts.since,
            align: 'end',
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </Card>
  );
}
