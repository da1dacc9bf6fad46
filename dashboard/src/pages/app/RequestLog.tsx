import { useState } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Field } from '../../ui/Field.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useQueryState } from '../../ui/useQueryState.ts';

const REQUESTS = graphql(`
  query Requests($requestId: String, $failed: Boolean, $after: String) {
    requestLog(requestId: $requestId, failed: $failed, first: 50, after: $after) {
      nodes {
        id
        requestId
        receivedAt
        method
        route
        operation
        status
        code
        durationMs
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** What the app asked of the service, by request id. */
export function RequestLog() {
  const { app: texts, common } = useTexts();
  const format = useFormat();
  const [get] = useQueryState();
  const pages = usePages();
  const requestId = get('request_id') ?? null;
  const failed = get('failed') === 'true' ? true : null;
  const isFiltered = requestId !== null || failed !== null;
  const [result, read] = useQuery({ query: REQUESTS, variables: { requestId, failed, after: pages.after } });
  const failure = failureOf(result.error, 'requestLog');
  const list = result.data?.requestLog;
  return (
    <>
      <p className="lead part-lead">{texts.requestsLead}</p>
      <Filters key={requestId} requestId={requestId} isFailed={failed === true} />
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {failure === undefined && list === undefined && <Skeleton lines={8} />}
      {list?.nodes.length === 0 && (
        <EmptyState title={isFiltered ? texts.nothingFoundTitle : texts.noRequestsTitle}>
          {!isFiltered && texts.noRequests}
        </EmptyState>
      )}
      {list !== undefined && list.nodes.length > 0 && (
        <>
          <DataTable
            label={texts.requests}
            items={list.nodes}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'route',
                title: texts.route,
                cell: ({ method, route, operation }) => (
                  <>
                    <code>
                      {method} {route}
                    </code>
                    {operation !== null && <span className="under">{operation}</span>}
                  </>
                ),
              },
              {
                key: 'status',
                title: common.status,
                cell: ({ status, code }) => (
                  <>
                    <Badge tone={code === null ? 'good' : status >= 500 ? 'danger' : 'warning'}>
                      {status}
                    </Badge>
                    {code !== null && (
                      <span className="under">
                        <code>{code.toLowerCase()}</code>
                      </span>
                    )}
                  </>
                ),
              },
              {
                key: 'id',
                title: texts.requestId,
                cell: (entry) => <code className="quiet">{entry.requestId}</code>,
              },
              {
                key: 'took',
                title: texts.took,
                align: 'end',
                cell: ({ durationMs }) => format.duration(durationMs),
              },
              {
                key: 'time',
                title: texts.time,
                align: 'end',
                cell: ({ receivedAt }) => <Moment at={receivedAt} seconds />,
              },
            ]}
          />
          <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
        </>
      )}
    </>
  );
}

function Filters({ requestId, isFailed }: { requestId: string | null; isFailed: boolean }) {
  const { app: texts, common } = useTexts();
  const [, set] = useQueryState();
  const [wanted, setWanted] = useState(requestId ?? '');
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          set({ request_id: wanted.trim(), after: undefined });
        }}
      >
        <Field label={texts.findRequest} type="search" value={wanted} onChange={setWanted} maxLength={128} />
        <Button type="submit">{common.apply}</Button>
        {requestId !== null && (
          <Button kind="quiet" onPress={() => set({ request_id: undefined, after: undefined })}>
            {common.clear}
          </Button>
        )}
        <Segments
          hidden
          label={common.status}
          options={[
            { id: 'all', label: common.all },
            { id: 'failed', label: texts.failedOnly },
          ]}
          value={isFailed ? 'failed' : 'all'}
          onChange={(id) => set({ failed: id === 'failed' ? 'true' : undefined, after: undefined })}
        />
      </form>
    </search>
  );
}
