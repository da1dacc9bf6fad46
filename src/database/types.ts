import pg from 'pg';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * How the service reads rows: times are RFC 3339 UTC with milliseconds, integers and numerics are numbers.
 */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format === 'binary') return refuseBinary;
    if (oid === TIMESTAMPTZ) return toIso;
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** Binary columns of other types than text are refused (`Query.textOnly`). */
function refuseBinary(): never {
  throw new TypeError('A column sent in the binary format is not of type text.');
}

const IN_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;
const ELSEWHERE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/**
 * SQL of a time of the years 1 to 9999 as the text that a row has of it. For statements of text alone
 * (`Query.textOnly`).
 */
export function isoTime(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Converts PostgreSQL's ISO style. A UTC time needs no Date object. Microseconds are cut off. */
function toIso(text: string): string {
  const [, date, time, fraction = ''] = IN_UTC.exec(text) ?? [];
  return date === undefined || time === undefined ? fromElsewhere(text) : utc(date, time, fraction);
}

function utc(date: string, time: string, fraction: string): string {
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/**
 * Offsets before standard time have seconds, which JavaScript does not parse. @throws RangeError outside the
 * years 1 to 9999
 */
function fromElsewhere(text: string): string {
  const [, date = '', time = '', fraction = '', sign, ...offset] = ELSEWHERE.exec(text) ?? [];
  if (date === '') throw new RangeError(`No time of the years 1 to 9999: ${text}`);
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part: string | undefined) => Number(part ?? 0));
  const offsetMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const local = Date.parse(utc(date, time, fraction));
  return new Date(sign === '-' ? local + offsetMs : local - offsetMs).toISOString();
}
