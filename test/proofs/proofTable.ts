import type { ProofRecord } from '../support/recordProof.js';

const BEGIN = '<!-- printed by npm run proofs -->';
const END = '<!-- end -->';
const HEADER = ['proof', 'injected', 'times', 'checked', 'seen', 'broken variant, and what it showed', 'run'];

/** Puts records into the table of a document, each in the place of the one that it had; others stay. */
export function withRecords(document: string, records: readonly ProofRecord[], run: string): string {
  const [before = '', rest = ''] = document.split(BEGIN);
  const [table = '', after = ''] = rest.split(END);
  const rows = new Map(rowsOf(table).map((cells) => [cells[0] ?? '', cells]));
  for (const record of records) rows.set(record.proof, cellsOf(record, run));
  const sorted = [...rows.values()].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const lines = [HEADER, HEADER.map(() => '---'), ...sorted].map((row) => `| ${row.join(' | ')} |`);
  return `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`;
}

/** The names of the proofs that a document has figures of. */
export function provedIn(document: string): string[] {
  const table = document.split(BEGIN)[1]?.split(END)[0] ?? '';
  return rowsOf(table).map(([name = '']) => name);
}

function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function cellsOf({ proof, injected, times, checked, figure, broken }: ProofRecord, run: string): string[] {
  return [proof, injected, times.toLocaleString('en'), checked, figure, broken, run].map((cell) =>
    cell.replaceAll('|', '\\|').replaceAll('\n', ' '),
  );
}
