import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { Denied } from './Denied.tsx';
import { useChosenPurpose } from './purposes.ts';

const INTENTS = graphql(`
  query Intents($customerId: ID!, $purpose: ConsentPurpose, $after: String) {
    intents(customerId: $customerId, consentPurpose: $purpose, first: 25, after: $after) {
      nodes {
        id
        category
        object
        confidence
        consentPurpose
        evidence {
          id
          attribute
          observedAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** What the customer's events say they intend. */
export function IntentsPart({ customerId }: { customerId: string }) {
  return can('intents:read') ? (
    <Intents customerId={customerId} />
  ) : (
    <MissingScope scopes={['intents:read']} />
  );
}

function Intents({ customerId }: { customerId: string }) {
  const { customer: texts, purposes, categories, common } = useTexts();
  const purpose = useChosenPurpose();
  const pages = usePages();
  const [result, read] = useQuery({ query: INTENTS, variables: { customerId, purpose, after: pages.after } });
  const failure = failureOf(result.error, 'intents');
  if (failure?.code === 'CONSENT_DENIED')
    return <Denied customerId={customerId} purpose={purpose} failure={failure} />;
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.intents;
  if (list === undefined || list === null) return <Skeleton lines={8} />;
  if (list.nodes.length === 0) return <EmptyState title={texts.noIntentsTitle}>{texts.noIntents}</EmptyState>;
  return (
    <>
      <DataTable
        label={texts.tabs.intents}
        items={list.nodes}
        keyOf={({ id }) => id}
        columns={[
          { key: 'category', title: texts.category, cell: ({ category }) => categories[category] },
          { key: 'object', title: texts.object, grow: true, cell: ({ object }) => <code>{object}</code> },
          {
            key: 'confidence',
            title: texts.confidence,
            cell: ({ confidence }) => <Meter value={confidence} label={texts.confidence} />,
          },
          {
            key: 'evidence',
            title: texts.basedOn,
            cell: ({ evidence }) => (
              <>
                {texts.eventsCount(evidence.length)}
                <span className="under">
                  <Moment at={evidence[0]?.observedAt} />
                </span>
              </>
            ),
          },
          {
            key: 'purpose',
            title: common.purpose,
            cell: (intent) => <Badge>{purposes[intent.consentPurpose]}</Badge>,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </>
  );
}
