import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { readAgain } from '../../client/readAgain.ts';
import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { WebhookDeliveryStatus } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import type { Tone } from '../../ui/Badge.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { LiveBadge } from '../../ui/LiveBadge.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useQueryState } from '../../ui/useQueryState.ts';
import type { DeliveryRow } from './deliveriesQuery.ts';
import { DELIVERIES } from './deliveriesQuery.ts';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';

const DELIVERY_CHANGED = graphql(`
  subscription DeliveryChanged($endpointId: ID!) {
    webhookDeliveryChanged(endpointId: $endpointId) {
      id
      status
      errorCode
      nextAttemptAt
      attempts {
        attempt
        startedAt
        durationMs
        statusCode
        errorCode
        responseBody
      }
    }
  }
`);

const STATUSES: readonly WebhookDeliveryStatus[] = ['PENDING', 'DELIVERED', 'FAILED', 'DROPPED'];
const ANY = 'ANY';

const TONES: Record<WebhookDeliveryStatus, Tone> = {
  DELIVERED: 'good',
  DROPPED: 'neutral',
  FAILED: 'danger',
  PENDING: 'info',
};

/** What became of each message to an endpoint. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const { webhooks: texts, deliveryStatus, common } = useTexts();
  const [get, set] = useQueryState();
  const pages = usePages();
  const status = STATUSES.find((one) => one === get('status')) ?? null;
  const [result, read] = useQuery({
    query: DELIVERIES,
    variables: { endpointId, status, after: pages.after },
  });
  const failure = failureOf(result.error, 'webhookDeliveries');
  const list = result.data?.webhookDeliveries;
  useLive(
    DELIVERY_CHANGED,
    { endpointId },
    {
      // Null: changes may have been missed, those of the message that is open too.
      onEvent: ({ webhookDeliveryChanged: changed }) =>
        changed === null ? readAgain() : read({ requestPolicy: 'network-only' }),
    },
  );
  const columns = useColumns((row) => set({ delivery: row.id }));
  return (
    <Card
      flush
      title={texts.deliveries}
      actions={
        <>
          <LiveBadge />
          <Choice
            inline
            label={common.status}
            options={[
              { id: ANY, label: common.all },
              ...STATUSES.map((id) => ({ id, label: deliveryStatus[id] ?? id })),
            ]}
            value={status ?? ANY}
            onChange={(id) => set({ status: id === ANY ? undefined : id, after: undefined })}
          />
        </>
      }
    >
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {failure === undefined && (list === undefined || list === null) && <Skeleton />}
      {list?.nodes.length === 0 && (
        <EmptyState
          icon="webhooks"
          title={status === null ? texts.noDeliveriesTitle : texts.nothingFoundTitle}
        >
          {status === null && texts.noDeliveries}
        </EmptyState>
      )}
      {list && list.nodes.length > 0 && (
        <>
          <DataTable label={texts.deliveries} items={list.nodes} keyOf={({ id }) => id} columns={columns} />
          <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
        </>
      )}
      <DeliveryDrawer
        endpointId={endpointId}
        id={get('delivery')}
        onClose={() => set({ delivery: undefined })}
      />
    </Card>
  );
}

function useColumns(open: (row: DeliveryRow) => void): Column<DeliveryRow>[] {
  const { webhooks: texts, common } = useTexts();
  const format = useFormat();
  return [
    {
      key: 'event',
      title: texts.event,
      grow: true,
      cell: (row) => (
        <button type="button" className="row-link" onClick={() => open(row)}>
          {row.eventType}
        </button>
      ),
    },
    { key: 'status', title: common.status, cell: (row) => <DeliveryState status={row.status} /> },
    {
      key: 'answer',
      title: texts.answer,
      wideOnly: true,
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        if (last === undefined) return <span className="quiet">–</span>;
        return (
          <>
            {last.statusCode ?? last.errorCode ?? texts.noAnswer}{' '}
            <span className="quiet">· {format.duration(last.durationMs)}</span>
          </>
        );
      },
    },
    {
      key: 'attempts',
      title: texts.attempts,
      align: 'end',
      wideOnly: true,
      cell: ({ attempts }) => attempts.length,
    },
    {
      key: 'created',
      title: common.created,
      align: 'end',
      cell: ({ createdAt }) => <Moment at={createdAt} seconds />,
    },
  ];
}

export function DeliveryState({ status }: { status: WebhookDeliveryStatus }) {
  const { deliveryStatus } = useTexts();
  return <Badge tone={TONES[status]}>{deliveryStatus[status]}</Badge>;
}
