import { failureOf } from '../../client/failure.ts';
import { useQuery } from '../../client/useQuery.ts';
import { graphql } from '../../gql/index.ts';
import type { EventStatus } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import type { Tone } from '../../ui/Badge.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { LiveEvent } from './LiveEvent.ts';
import { useChosenPurpose } from './purposes.ts';

const EVENTS = graphql(`
  query Events($customerId: ID!, $purpose: ConsentPurpose, $after: String) {
    events(customerId: $customerId, consentPurpose: $purpose, first: 25, after: $after) {
      nodes {
        eventId
        sequence
        status
        eventType
        object
        consentPurpose
        occurredAt
        acceptedAt
        error {
          code
          message
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const TONES: Record<EventStatus, Tone> = {
  ACCEPTED: 'info',
  PROCESSING: 'info',
  PROCESSED: 'good',
  REJECTED: 'warning',
  FAILED: 'danger',
};

/** What the customer did, in the order in which it was accepted. */
export function EventsPart({ customerId }: { customerId: string }) {
  return can('events:read') ? <Events customerId={customerId} /> : <MissingScope scopes={['events:read']} />;
}

function Events({ customerId }: { customerId: string }) {
  const { customer: texts, purposes, eventStatus, common } = useTexts();
  const purpose = useChosenPurpose();
  const pages = usePages();
  const [result, read] = useQuery({ query: EVENTS, variables: { customerId, purpose, after: pages.after } });
  const failure = failureOf(result.error, 'events');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.events;
  if (list === undefined) return <Skeleton lines={8} />;
  if (list.nodes.length === 0) return <EmptyState title={texts.noEventsTitle}>{texts.noEvents}</EmptyState>;
  return (
    <>
      {list.nodes.map(({ eventId, status }) => (
        <LiveEvent key={eventId} id={eventId} status={status} />
      ))}
      <DataTable
        label={texts.tabs.events}
        items={list.nodes}
        keyOf={({ eventId }) => eventId}
        columns={[
          { key: 'order', title: texts.order, cell: ({ sequence }) => sequence },
          {
            key: 'type',
            title: texts.eventType,
            grow: true,
            cell: ({ eventType, object }) =>
              eventType === null ? (
                <span className="quiet">{texts.closedEvent}</span>
              ) : (
                <>
                  {eventType}
                  <span className="under">
                    <code>{object}</code>
                  </span>
                </>
              ),
          },
          {
            key: 'status',
            title: common.status,
            cell: ({ status, error }) => (
              <>
                <Badge tone={TONES[status]}>{eventStatus[status]}</Badge>
                {error !== null && <span className="under">{error.message}</span>}
              </>
            ),
          },
          {
            key: 'purpose',
            title: common.purpose,
            cell: (event) => event.consentPurpose !== null && <Badge>{purposes[event.consentPurpose]}</Badge>,
          },
          {
            key: 'occurred',
            title: texts.occurred,
            align: 'end',
            cell: (event) => <Moment at={event.occurredAt} />,
          },
          {
            key: 'accepted',
            title: texts.accepted,
            align: 'end',
            cell: (event) => <Moment at={event.acceptedAt} />,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </>
  );
}
