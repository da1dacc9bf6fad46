import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Card } from '../ui/Card.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { Segments } from '../ui/Segments.tsx';

interface Props {
  title: string;
  lead: string;
  /** The chart's numbers: a row to each step, the first cell naming it. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  actions?: ReactNode;
  children: ReactNode;
}

/** A chart that can be read as a table. */
export function ChartCard({ title, lead, columns, rows, actions, children }: Props) {
  const { common } = useTexts();
  const [view, setView] = useState('chart');
  return (
    <Card
      title={title}
      lead={lead}
      actions={
        <>
          {actions}
          <Segments
            hidden
            label={title}
            options={[
              { id: 'chart', label: common.asChart, icon: 'chart' },
              { id: 'table', label: common.asTable, icon: 'table' },
            ]}
            value={view}
            onChange={setView}
          />
        </>
      }
    >
      {view === 'chart' ? (
        children
      ) : (
        <div className="chart-table">
          <DataTable<readonly string[]>
            label={title}
            items={rows}
            keyOf={([name]) => name ?? ''}
            columns={columns.map((column, index) => ({
              key: column,
              title: column,
              ...(index === 0 ? {} : { align: 'end' as const }),
              cell: (row) => row[index],
            }))}
          />
        </div>
      )}
    </Card>
  );
}
