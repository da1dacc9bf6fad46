import { ChartCard } from '../../charts/ChartCard.tsx';
import type { Series } from '../../charts/TimeChart.tsx';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Part } from './overviewQuery.ts';

/** How long the app's own requests took, over time. */
export function RequestsChart({ part, hourly }: { part: Part<'requests'>; hourly: boolean }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const times = part.series.map(({ at }) => at);
  const series: Series[] = [
    { name: texts.median, color: 1, values: part.series.map(({ p50Ms }) => p50Ms) },
    { name: texts.slow, color: 5, values: part.series.map(({ p99Ms }) => p99Ms) },
  ];
  const rows = part.series.map(({ at, requests, p50Ms, p99Ms }) => [
    format.step(at, hourly),
    format.number(requests),
    p50Ms === null ? '–' : format.duration(p50Ms),
    p99Ms === null ? '–' : format.duration(p99Ms),
  ]);
  return (
    <ChartCard
      title={texts.requests}
      lead={texts.requestsLead}
      columns={[texts.day, texts.requestsCount, texts.median, texts.slow]}
      rows={rows}
    >
      {part.requests === 0 ? (
        <EmptyState icon="chart" title={texts.noData} />
      ) : (
        <TimeChart times={times} series={series} hourly={hourly} write={format.duration} />
      )}
    </ChartCard>
  );
}
