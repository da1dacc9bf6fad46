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

const IN_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** PostgreSQL's ISO style; where the session's time zone is UTC no date has to be made of it. Microseconds are cut off. */
export function toIso(text: string): string {
  const [, date, time, fraction = ''] = IN_UTC.exec(text) ?? [];
  if (date === undefined || time === undefined) return new Date(text).toISOString();
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
