import { usePolling } from '../../client/usePolling.ts';
import { useQuery } from '../../client/useQuery.ts';
import { Link } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { CustomersQuery } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { visibleText } from '../../ui/visibleText.ts';
import { usePages } from '../../ui/usePages.ts';
import { CustomerFilters } from './CustomerFilters.tsx';
import { useCustomerFilters } from './useCustomerFilters.ts';

const CUSTOMERS = graphql(`
  query Customers(
    $after: String
    $prefix: String
    $purpose: ConsentPurpose
    $createdAfter: DateTime
    $createdBefore: DateTime
    $withConsent: Boolean!
  ) {
    customers(
      first: 25
      after: $after
      externalIdPrefix: $prefix
      consentPurpose: $purpose
      createdAfter: $createdAfter
      createdBefore: $createdBefore
    ) {
      totalCount
      nodes {
        id
        externalId
        status
        createdAt
        profile {
          username
        }
        effectiveConsent @include(if: $withConsent) {
          purposes {
            purpose
            status
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

type Row = CustomersQuery['customers']['nodes'][number];

/** Everybody whose consent the app asked for. */
export default function CustomersPage() {
  const { customers: texts, common } = useTexts();
  const pages = usePages();
  const format = useFormat();
  const filters = useCustomerFilters();
  const withConsent = can('consent:read');
  const [result, read] = useQuery({
    query: CUSTOMERS,
    variables: { after: pages.after, ...filters.variables, withConsent },
  });
  usePolling(pages.after === null, read);
  const failure = failureOf(result.error, 'customers');
  const list = result.data?.customers;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <CustomerFilters />
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {failure === undefined && list === undefined && <Skeleton lines={8} />}
      {list?.nodes.length === 0 && <NobodyFound isFiltered={filters.isFiltered} />}
      {list !== undefined && list.nodes.length > 0 && (
        <>
          <DataTable label={texts.title} columns={useColumns()} items={list.nodes} keyOf={({ id }) => id} />
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

function NobodyFound({ isFiltered }: { isFiltered: boolean }) {
  const { customers: texts } = useTexts();
  if (isFiltered)
    return (
      <EmptyState icon="search" title={texts.nothingFoundTitle}>
        {texts.nothingFound}
      </EmptyState>
    );
  return (
    <EmptyState icon="customers" title={texts.emptyTitle}>
      {texts.empty}
    </EmptyState>
  );
}

function useColumns(): Column<Row>[] {
  const { customers: texts, common } = useTexts();
  return [
    {
      key: 'externalId',
      title: texts.externalId,
      cell: (row) => (
        <Link className="row-link" href={`/customers/${row.id}`}>
          <bdi>{visibleText(row.externalId, row.id)}</bdi>
          <bdi className="under">{row.profile?.username}</bdi>
        </Link>
      ),
    },
    { key: 'consent', title: texts.consent, grow: true, cell: (row) => <GrantedPurposes row={row} /> },
    { key: 'id', title: 'Id', wideOnly: true, cell: (row) => <code className="quiet">{row.id}</code> },
    {
      key: 'created',
      title: common.created,
      align: 'end',
      wideOnly: true,
      cell: (row) => <Moment at={row.createdAt} />,
    },
  ];
}

function GrantedPurposes({ row }: { row: Row }) {
  const { purposes, customers: texts } = useTexts();
  if (row.effectiveConsent === undefined) return <span className="quiet">{texts.hiddenConsent}</span>;
  const granted = row.effectiveConsent?.purposes.filter(({ status }) => status === 'GRANTED') ?? [];
  if (granted.length === 0) return <span className="quiet">{texts.noConsent}</span>;
  return (
    <span className="badges">
      {granted.map(({ purpose }) => (
        <Badge key={purpose} tone="good">
          {purposes[purpose]}
        </Badge>
      ))}
    </span>
  );
}
