import { useState } from 'react';
import { ChartCard } from '../../charts/ChartCard.tsx';
import type { Bucket } from '../../charts/Histogram.tsx';
import { Histogram } from '../../charts/Histogram.tsx';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { Choice } from '../../ui/Choice.tsx';
import type { Part } from './overviewQuery.ts';

const ALL = 'ALL';

/** Facts by confidence, of one purpose or all. */
export function FactsChart({ part }: { part: Part<'facts'> }) {
  const { overview: texts, purposes, common } = useTexts();
  const format = useFormat();
  const [chosen, setChosen] = useState(ALL);
  const buckets = sumOf(part.purposes.filter(({ purpose }) => chosen === ALL || purpose === chosen));
  const rows = buckets.map(({ from, to, count }) => [
    `${format.number(from * 100)}–${format.number(to * 100)} %`,
    format.number(count),
  ]);
  return (
    <ChartCard
      title={texts.facts}
      lead={texts.factsLead}
      columns={[texts.bucket, texts.count]}
      rows={rows}
      actions={
        <Choice
          inline
          hidden
          label={common.purpose}
          options={[
            { id: ALL, label: common.all },
            ...part.purposes.map(({ purpose }) => ({ id: purpose, label: purposes[purpose] })),
          ]}
          value={chosen}
          onChange={setChosen}
        />
      }
    >
      <Histogram buckets={buckets} />
    </ChartCard>
  );
}

function sumOf(purposes: Part<'facts'>['purposes']): Bucket[] {
  const [first, ...others] = purposes;
  return (first?.buckets ?? []).map(({ from, to, facts }, index) => ({
    from,
    to,
    count: others.reduce((sum, { buckets }) => sum + (buckets[index]?.facts ?? 0), facts),
  }));
}
