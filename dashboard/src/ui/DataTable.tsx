import type { Key, ReactNode } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  cell: (item: T) => ReactNode;
  /** Numbers line up at the right. */
  align?: 'end';
  /** Hidden on narrow screens. Only for what the page behind the row also shows. */
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

/**
 * A table of things; the first column names the thing. A link in it covers its whole row. On a phone each row
 * is a block of named lines: the roles keep it a table where the style sheet does not lay it out as one.
 */
export function DataTable<T>({ label, columns, items, keyOf, isCurrent }: Props<T>) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table className="data" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} scope="col" role="columnheader" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row" data-current={isCurrent?.(item) === true || undefined}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" role="rowheader" className={classOf(column)}>
                    <div className="cell">{column.cell(item)}</div>
                  </th>
                ) : (
                  <td key={column.key} role="cell" data-title={column.title} className={classOf(column)}>
                    <span className="cell">{column.cell(item)}</span>
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
