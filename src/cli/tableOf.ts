/** Formats a result for people: a list as a table, an object as one line per member. */
export function tableOf(result: object): string {
  const { data, next } = result as { data?: unknown; next?: unknown };
  if (!Array.isArray(data))
    return rowsOf(Object.entries(result).map(([name, value]) => [name, shown(value)]));
  const rows = data as Record<string, unknown>[];
  const [first] = rows;
  if (first === undefined) return 'Nothing.';
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => shown(row[name])));
  const more = typeof next === 'string' ? [`More: --after ${next}`] : [];
  return [rowsOf([names, ...cells]), ...more].join('\n');
}

function rowsOf(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Replaces control characters, which must not reach a terminal. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{C}/gu, '?');
}
