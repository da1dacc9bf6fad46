import type { ReactNode } from 'react';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import type { Overview } from './overviewQuery.ts';

/** The numbers that are looked at first. */
export function Tiles({
  overview: { consent, facts, ingest, deliveries, requests },
}: {
  overview: Overview;
}) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const milliseconds = (value: number | null): string => (value === null ? '–' : format.duration(value));
  return (
    <dl className="tiles">
      {consent && <Tile title={texts.customersTotal} value={format.number(consent.customers)} />}
      {facts && <Tile title={texts.factsCount} value={format.number(facts.facts)} />}
      {ingest && (
        <Tile
          title={texts.both}
          value={format.number(ingest.events.accepted + ingest.claims.accepted)}
          note={texts.refusedCount(format.number(ingest.events.refused + ingest.claims.refused))}
        />
      )}
      {deliveries && (
        <Tile
          title={texts.successRate}
          value={rate(deliveries.delivered, deliveries.delivered + deliveries.failed, format.percent)}
          note={<Health deliveries={deliveries} />}
        />
      )}
      {requests && (
        <Tile
          title={`${texts.median} · ${texts.slow}`}
          value={`${milliseconds(requests.p50Ms)} · ${milliseconds(requests.p99Ms)}`}
          note={texts.refusedRequests(format.number(requests.refused), format.number(requests.failed))}
        />
      )}
    </dl>
  );
}

function Tile({ title, value, note }: { title: string; value: string; note?: ReactNode }) {
  return (
    <div className="tile">
      <dt>{title}</dt>
      <dd>
        {value}
        {note !== undefined && <span className="under">{note}</span>}
      </dd>
    </div>
  );
}

function Health({ deliveries }: { deliveries: NonNullable<Overview['deliveries']> }) {
  const { overview: texts } = useTexts();
  const { activeEndpoints, disabledEndpoints, failingEndpoints } = deliveries;
  if (failingEndpoints > 0) return <>{texts.failing(failingEndpoints)}</>;
  if (disabledEndpoints > 0) return <>{texts.disabled(disabledEndpoints)}</>;
  return <>{activeEndpoints > 0 ? texts.healthy : texts.noEndpoints}</>;
}

function rate(part: number, whole: number, percent: (share: number) => string): string {
  return whole === 0 ? '–' : percent(part / whole);
}
