import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { ValueText } from '../../ui/ValueText.tsx';
import { Denied } from './Denied.tsx';
import { useChosenPurpose } from './purposes.ts';

const CLAIMS = graphql(`
  query Claims($customerId: ID!, $purpose: ConsentPurpose, $after: String) {
    claims(customerId: $customerId, consentPurpose: $purpose, first: 25, after: $after) {
      nodes {
        id
        attribute
        value
        source
        confidence
        observedAt
        consentPurpose
        provenance {
          sourcePartner
          sourceSystem
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** What sources said, as they said it. */
export function ClaimsPart({ customerId }: { customerId: string }) {
  return can('claims:read') ? <Claims customerId={customerId} /> : <MissingScope scopes={['claims:read']} />;
}

function Claims({ customerId }: { customerId: string }) {
  const { customer: texts, purposes } = useTexts();
  const purpose = useChosenPurpose();
  const pages = usePages();
  const [result, read] = useQuery({ query: CLAIMS, variables: { customerId, purpose, after: pages.after } });
  const failure = failureOf(result.error, 'claims');
  if (failure?.code === 'CONSENT_DENIED')
    return <Denied customerId={customerId} purpose={purpose} failure={failure} />;
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.claims;
  if (list === undefined || list === null) return <Skeleton lines={8} />;
  if (list.nodes.length === 0) return <EmptyState title={texts.noClaimsTitle}>{texts.noClaims}</EmptyState>;
  return (
    <>
      <DataTable
        label={texts.tabs.claims}
        items={list.nodes}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'attribute',
            title: texts.attribute,
            cell: ({ attribute, consentPurpose }) => (
              <>
                {attribute}
                <span className="under">{purposes[consentPurpose]}</span>
              </>
            ),
          },
          { key: 'value', title: texts.value, grow: true, cell: ({ value }) => <ValueText value={value} /> },
          {
            key: 'source',
            title: texts.source,
            cell: ({ source, provenance }) => (
              <>
                {source}
                <span className="under">{provenance.sourcePartner}</span>
              </>
            ),
          },
          {
            key: 'confidence',
            title: texts.stated,
            cell: ({ confidence }) => <Meter value={confidence} label={texts.stated} />,
          },
          {
            key: 'observed',
            title: texts.observed,
            align: 'end',
            cell: ({ observedAt }) => <Moment at={observedAt} />,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </>
  );
}
