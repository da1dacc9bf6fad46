/** A row as `pg` reads it. */
export type Row = Record<string, unknown>;
