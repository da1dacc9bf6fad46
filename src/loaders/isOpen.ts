/** The condition under which the gate `g` of a statement lets a row through: its purpose is open, and its epoch is the one that is open. */
export function isOpen(row: string): string {
  return `(g.open_mask >> ${row}.purpose) & 1 = 1 AND ${row}.epoch = g.epochs[${row}.purpose + 1]`;
}
