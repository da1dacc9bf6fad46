import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import type { OverviewWindow } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useQueryState } from '../../ui/useQueryState.ts';
import { ConsentChart } from './ConsentChart.tsx';
import { DeliveriesChart } from './DeliveriesChart.tsx';
import { FactsChart } from './FactsChart.tsx';
import { IngestChart } from './IngestChart.tsx';
import type { Overview } from './overviewQuery.ts';
import { OVERVIEW } from './overviewQuery.ts';
import { RequestsChart } from './RequestsChart.tsx';
import { Tiles } from './Tiles.tsx';

const WINDOWS: readonly OverviewWindow[] = ['HOURS_24', 'DAYS_7', 'DAYS_30', 'DAYS_90'];

const PARTS = {
  consent: 'consent:read',
  facts: 'profile:read',
  ingest: 'events:read',
  deliveries: 'webhooks:read',
  requests: 'apps:read',
} as const;

/** The app in numbers, over a window up to now. */
export default function OverviewPage() {
  const { overview: texts } = useTexts();
  const [get, set] = useQueryState();
  const window = WINDOWS.find((one) => one === get('window')) ?? 'DAYS_7';
  const asked = Object.fromEntries(Object.entries(PARTS).map(([part, scope]) => [part, can(scope)]));
  const isAllowed = Object.values(asked).includes(true);
  const [result, read] = useQuery({
    query: OVERVIEW,
    variables: { window, ...(asked as Record<keyof typeof PARTS, boolean>) },
    pause: !isAllowed,
  });
  const failure = failureOf(result.error, 'overview');
  const overview = result.data?.overview;
  return (
    <>
      <PageHeader
        title={texts.title}
        lead={texts.lead(texts.windows[window])}
        actions={
          <Segments
            hidden
            label={texts.window}
            options={WINDOWS.map((id) => ({ id, label: texts.windowNames[id] }))}
            value={window}
            onChange={(id) => set({ window: id }, { replace: true })}
          />
        }
      />
      {!isAllowed && <MissingScope scopes={Object.values(PARTS)} />}
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {isAllowed && failure === undefined && overview === undefined && <Skeleton lines={12} />}
      {overview !== undefined && <Parts overview={overview} />}
    </>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const { overview: texts } = useTexts();
  const hourly = overview.stepSeconds < 86_400;
  const { consent, facts, ingest, deliveries, requests } = overview;
  return (
    <>
      <Tiles overview={overview} />
      <div className="charts">
        {consent && <ConsentChart part={consent} hourly={hourly} />}
        {facts && <FactsChart part={facts} />}
        {ingest && <IngestChart part={ingest} hourly={hourly} />}
        {deliveries && <DeliveriesChart part={deliveries} hourly={hourly} />}
        {requests && <RequestsChart part={requests} hourly={hourly} />}
      </div>
      <p className="quiet small as-of">
        {texts.asOf} <Moment at={overview.to} seconds />
      </p>
    </>
  );
}
