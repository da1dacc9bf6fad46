/** A Markdown table; numbers are printed as they are, one that is none as a dash. */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(printCell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line), ''].join('\n');
}

function printCell(cell: string | number): string {
  return ['NaN', Number.NaN].includes(cell) ? '–' : String(cell);
}
