import { parseTimestamp } from '../timestamp.js';

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Of years 1 to 9999. */
function dayOf(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : null;
}

function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? dayOf(date) : null;
}

/** 0 if it is no month, nor the first three letters or more of one. */
function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;
}

/**
 * `YYYY-MM-DD` of a calendar date or of an RFC 3339 time (its date in UTC); `null` for other texts. Accepts
 * 2020-03-12, 2020/3/12, 20200312, 12.3.2020, 12 March 2020 and March 12, 2020. Rejects 03/12/2020, which is
 * ambiguous.
 */
export function canonicalDate(text: string): string | null {
  const trimmed = text.trim();
  if (/^\d{4}-\d{2}-\d{2}T/iu.test(trimmed)) return dateOfInstant(trimmed);
  const numeric =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u.exec(trimmed) ?? /^(\d{4})(\d{2})(\d{2})$/u.exec(trimmed);
  if (numeric) return dateOf(Number(numeric[1]), Number(numeric[2]), Number(numeric[3]));
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(trimmed);
  if (dotted) return dateOf(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const dayFirst = /^(\d{1,2})\.? ([a-z]{3,})\.?,? (\d{4})$/iu.exec(trimmed);
  if (dayFirst) return dateOf(Number(dayFirst[3]), monthOf(dayFirst[2] ?? ''), Number(dayFirst[1]));
  const monthFirst = /^([a-z]{3,})\.? (\d{1,2}),? (\d{4})$/iu.exec(trimmed);
  return monthFirst
    ? dateOf(Number(monthFirst[3]), monthOf(monthFirst[1] ?? ''), Number(monthFirst[2]))
    : null;
}

/** A time without an offset is of its own day: the time zone of this process must not matter. */
function dateOfInstant(text: string): string | null {
  const instant = parseTimestamp(text);
  if (instant !== undefined) return instant.slice(0, 10);
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const own = dateOf(year, month, day);
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/iu.test(text);
  const time = Date.parse(hasOffset ? text : `${text}Z`);
  return own === null || Number.isNaN(time) ? null : dayOf(new Date(time));
}
