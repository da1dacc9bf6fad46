import { ChartCard } from '../../charts/ChartCard.tsx';
import type { Series } from '../../charts/TimeChart.tsx';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import type { Part } from './overviewQuery.ts';

/** Customers by purpose over time. */
export function ConsentChart({ part, hourly }: { part: Part<'consent'>; hourly: boolean }) {
  const { overview: texts, purposes } = useTexts();
  const format = useFormat();
  const times = part.purposes[0]?.series.map(({ at }) => at) ?? [];
  const series = part.purposes.map(({ purpose, series: levels }, index): Series => ({
    name: purposes[purpose],
    color: ((index % 7) + 1) as Series['color'],
    values: levels.map(({ count }) => count),
  }));
  const rows = times.map((at, index) => [
    format.step(at, hourly),
    ...series.map(({ values }) => format.number(values[index] ?? 0)),
  ]);
  return (
    <ChartCard
      title={texts.consent}
      lead={texts.consentLead}
      columns={[texts.day, ...series.map(({ name }) => name)]}
      rows={rows}
    >
      <TimeChart times={times} series={series} hourly={hourly} write={format.number} />
    </ChartCard>
  );
}
