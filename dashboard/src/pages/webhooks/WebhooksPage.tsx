import { useQuery } from '../../client/useQuery.ts';
import { Link } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { AddEndpoint } from './AddEndpoint.tsx';
import { EndpointState } from './EndpointState.tsx';

const ENDPOINTS = graphql(`
  query WebhookEndpoints($after: String) {
    webhookEndpoints(first: 25, after: $after) {
      nodes {
        id
        url
        status
        disabledReason
        enabledEvents
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** Where the app is told about changes. */
export default function WebhooksPage() {
  const { webhooks: texts } = useTexts();
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={can('webhooks:write') && <AddEndpoint />} />
      {can('webhooks:read') ? <Endpoints /> : <MissingScope scopes={['webhooks:read']} />}
    </>
  );
}

function Endpoints() {
  const { webhooks: texts, common } = useTexts();
  const pages = usePages();
  const [result, read] = useQuery({ query: ENDPOINTS, variables: { after: pages.after } });
  const failure = failureOf(result.error, 'webhookEndpoints');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.webhookEndpoints;
  if (list === undefined) return <Skeleton />;
  if (list.nodes.length === 0) {
    return (
      <EmptyState icon="webhooks" title={texts.emptyTitle}>
        {texts.empty}
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label={texts.title}
        items={list.nodes}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'url',
            title: texts.url,
            grow: true,
            cell: ({ id, url }) => (
              <Link className="row-link wrap" href={`/webhooks/${id}`}>
                {url}
              </Link>
            ),
          },
          {
            key: 'events',
            title: texts.events,
            wideOnly: true,
            cell: ({ enabledEvents }) =>
              enabledEvents.includes('*') ? texts.everything : texts.eventsCount(enabledEvents.length),
          },
          { key: 'status', title: common.status, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          {
            key: 'created',
            title: common.created,
            align: 'end',
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </>
  );
}
