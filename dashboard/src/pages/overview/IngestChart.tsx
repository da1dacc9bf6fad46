import { useState } from 'react';
import { ChartCard } from '../../charts/ChartCard.tsx';
import type { Series } from '../../charts/TimeChart.tsx';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { Choice } from '../../ui/Choice.tsx';
import type { Part } from './overviewQuery.ts';

type Flow = Part<'ingest'>['events']['series'][number];

const KINDS = ['both', 'events', 'claims'] as const;

/** What became of events and claims over time. */
export function IngestChart({ part, hourly }: { part: Part<'ingest'>; hourly: boolean }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('both');
  const flows = kind === 'both' ? sumOf(part.events.series, part.claims.series) : part[kind].series;
  const times = flows.map(({ at }) => at);
  const series: Series[] = [
    { name: texts.acceptedSeries, color: 2, values: flows.map(({ accepted }) => accepted) },
    { name: texts.applied, color: 1, values: flows.map(({ applied }) => applied) },
    { name: texts.refused, color: 4, values: flows.map(({ refused }) => refused) },
    { name: texts.failedSeries, color: 3, values: flows.map(({ failed }) => failed) },
  ];
  const rows = times.map((at, index) => [
    format.step(at, hourly),
    ...series.map(({ values }) => format.number(values[index] ?? 0)),
  ]);
  return (
    <ChartCard
      title={texts.ingestion}
      lead={texts.ingestionLead}
      columns={[texts.day, ...series.map(({ name }) => name)]}
      rows={rows}
      actions={
        <Choice
          inline
          hidden
          label={texts.ingestion}
          options={KINDS.map((id) => ({ id, label: texts[id] }))}
          value={kind}
          onChange={(id) => setKind(KINDS.find((one) => one === id) ?? 'both')}
        />
      }
    >
      <TimeChart times={times} series={series} hourly={hourly} write={format.number} />
    </ChartCard>
  );
}

function sumOf(a: readonly Flow[], b: readonly Flow[]): Flow[] {
  return a.map((flow, index) => ({
    ...flow,
    accepted: flow.accepted + (b[index]?.accepted ?? 0),
    applied: flow.applied + (b[index]?.applied ?? 0),
    refused: flow.refused + (b[index]?.refused ?? 0),
    failed: flow.failed + (b[index]?.failed ?? 0),
  }));
}
