import type { Key, ReactNode } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  cell: (item: T) => ReactNode;
  /** Numbers line up at the right. */
  align?: 'end';
  /** Left out on a phone, where `cell` is shown under the first column's instead when `narrow` is given. */
  wideOnly?: boolean;
  /** Takes what the others leave. */
  grow?: boolean;
}

interface Props<T> {
  /** Names the table to screen readers. */
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => Key;
  /** Drawn for rows that stand out, such as the one that is open. */
  isCurrent?: (item: T) => boolean;
}

/** A table of things; the first column names the thing. A link in it covers its whole row. */
export function DataTable<T>({ label, columns, items, keyOf, isCurrent }: Props<T>) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table className="data">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)} data-current={isCurrent?.(item) === true || undefined}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" className={classOf(column)}>
                    {column.cell(item)}
                  </th>
                ) : (
                  <td key={column.key} className={classOf(column)}>
                    {column.cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<T>({ align, wideOnly, grow }: Column<T>): string | undefined {
  const names = [align === 'end' && 'end', wideOnly === true && 'wide-only', grow === true && 'grow'].filter(
    Boolean,
  );
  return names.length === 0 ? undefined : names.join(' ');
}
