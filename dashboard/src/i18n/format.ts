import { session } from '../session.ts';

/** Numbers and times as the reader writes them, in the reader's own zone. */
export interface Format {
  number: (value: number) => string;
  percent: (share: number) => string;
  /** Signed, to two places: log-odds. */
  signed: (value: number) => string;
  /** A time to the minute, without the year where it is this one. */
  moment: (iso: string) => string;
  time: (iso: string) => string;
  /** Hours and minutes. */
  clock: (iso: string) => string;
  day: (iso: string) => string;
  /** To the second, with the zone. */
  exact: (iso: string) => string;
  duration: (ms: number) => string;
}

export function formatFor(language: string): Format {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: session.timeZone ?? undefined });
  const short = of({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const long = of({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const time = of({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  const clock = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = of({ day: 'numeric', month: 'short' });
  const exact = of({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(language, {
    signDisplay: 'always',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const oneDecimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const year = of({ year: 'numeric' });
  const thisYear = year.format(new Date());
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    signed: (value) => signed.format(value),
    moment: (iso) => (year.format(new Date(iso)) === thisYear ? short : long).format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
    day: (iso) => day.format(new Date(iso)),
    exact: (iso) => exact.format(new Date(iso)),
    duration: (ms) => (ms < 1000 ? `${Math.round(ms)}\u00a0ms` : `${oneDecimal.format(ms / 1000)}\u00a0s`),
  };
}
