import pg from 'pg';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

/** Rows as the whole house sees them: times are RFC 3339 UTC with milliseconds, integers and numerics are numbers. */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === TIMESTAMPTZ) return toIso;
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, 'text');
  },
};

function toIso(text: string): string {
  return new Date(text).toISOString();
}
