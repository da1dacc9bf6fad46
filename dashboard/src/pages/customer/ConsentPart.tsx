import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { DECISIONS } from './consentQuery.ts';
import { Timeline } from './Timeline.tsx';
import { useConsent } from './useConsent.ts';

/** What the customer allowed, when, by which receipt, and what was withdrawn and why. */
export function ConsentPart({ customerId }: { customerId: string }) {
  return can('consent:read') ? (
    <Consent customerId={customerId} />
  ) : (
    <MissingScope scopes={['consent:read']} />
  );
}

function Consent({ customerId }: { customerId: string }) {
  const { customer: texts } = useTexts();
  const pages = usePages();
  const [result, read] = useQuery({ query: DECISIONS, variables: { customerId, after: pages.after } });
  const failure = failureOf(result.error);
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.customer?.consentTimeline;
  if (list === undefined || list === null) return <Skeleton lines={8} />;
  if (list.nodes.length === 0 && pages.after === null) {
    return <EmptyState title={texts.noConsentTitle}>{texts.noConsentText}</EmptyState>;
  }
  return (
    <div className="with-aside">
      <Card title={texts.timeline}>
        <Timeline decisions={list.nodes} />
        <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
      </Card>
      <ConsentNow customerId={customerId} />
    </div>
  );
}

function ConsentNow({ customerId }: { customerId: string }) {
  const { customer: texts, purposes, common } = useTexts();
  const states = useConsent(customerId);
  return (
    <Card flush title={texts.effective} lead={texts.effectiveLead}>
      {states === undefined ? (
        <Skeleton />
      ) : (
        <DataTable
          label={texts.effective}
          items={states}
          keyOf={({ purpose }) => purpose}
          columns={[
            { key: 'purpose', title: common.purpose, grow: true, cell: ({ purpose }) => purposes[purpose] },
            {
              key: 'status',
              title: common.status,
              align: 'end',
              cell: ({ status, grantedAt, revokedAt }) => (
                <>
                  <Badge tone={status === 'GRANTED' ? 'good' : 'neutral'}>
                    {status === 'GRANTED' ? texts.open : texts.closed}
                  </Badge>
                  <span className="under">
                    <Moment at={status === 'GRANTED' ? grantedAt : revokedAt} />
                  </span>
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}
