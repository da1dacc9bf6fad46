export const DAY_MS = 86_400_000;

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,100})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Years 1 to 9999, in UTC: the range of four digits and of PostgreSQL. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The output format of `toISOString`, for days that every month has. Such text needs no conversion. */
const FINAL =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * The RFC 3339 date-time in UTC with milliseconds; undefined for other text and for days like February 30. A
 * leap second, at the end of a month in UTC, is the last millisecond before it.
 */
export function parseTimestamp(text: string): string | undefined {
  if (FINAL.test(text)) return text;
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = second === 60 ? leapSecond(text) : Date.parse(text.toUpperCase());
  return time >= FIRST && time <= LAST ? new Date(time).toISOString() : undefined;
}

/** NaN where no second can be inserted. */
function leapSecond(text: string): number {
  const before = Date.parse(text.toUpperCase().replace(/:60(?:\.\d+)?/, ':59.999'));
  const isMonthsEnd = new Date(before + 1).toISOString().slice(8) === '01T00:00:00.000Z';
  return isMonthsEnd ? before : Number.NaN;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
