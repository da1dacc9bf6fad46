import { ChartCard } from '../../charts/ChartCard.tsx';
import type { Series } from '../../charts/TimeChart.tsx';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import type { Part } from './overviewQuery.ts';

/** What became of webhook messages over time. */
export function DeliveriesChart({ part, hourly }: { part: Part<'deliveries'>; hourly: boolean }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const times = part.series.map(({ at }) => at);
  const series: Series[] = [
    { name: texts.delivered, color: 1, values: part.series.map(({ delivered }) => delivered) },
    { name: texts.failed, color: 3, values: part.series.map(({ failed }) => failed) },
    { name: texts.dropped, color: 4, values: part.series.map(({ dropped }) => dropped) },
  ];
  const rows = times.map((at, index) => [
    format.step(at, hourly),
    ...series.map(({ values }) => format.number(values[index] ?? 0)),
  ]);
  const pending = part.pending === null ? `> ${format.number(10_000)}` : format.number(part.pending);
  return (
    <ChartCard
      title={texts.deliveries}
      lead={`${texts.deliveriesLead} ${texts.waiting(pending)}.`}
      columns={[texts.day, ...series.map(({ name }) => name)]}
      rows={rows}
    >
      <TimeChart times={times} series={series} hourly={hourly} write={format.number} />
    </ChartCard>
  );
}
