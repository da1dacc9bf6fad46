import { session } from '../session.ts';

/** Numbers and times as the reader writes them, in the reader's own zone. */
export interface Format {
  number: (value: number) => string;
  percent: (share: number) => string;
  /** Signed, to two places: log-odds. */
  signed: (value: number) => string;
  /** A time to the minute, without the year where it is this one. */
  moment: (iso: string) => string;
  /** The same to the second. */
  toSecond: (iso: string) => string;
  /** Hours and minutes. */
  clock: (iso: string) => string;
  day: (iso: string) => string;
  /** A day of UTC, in whatever zone the reader is. */
  utcDay: (iso: string) => string;
  /** Where a step of the overview begins: hours have their time, days are those of UTC. */
  step: (iso: string, hourly: boolean) => string;
  /** To the second, with the zone. */
  exact: (iso: string) => string;
  /** Of more than a minute its two largest units. */
  duration: (ms: number) => string;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

function inUnits(ms: number): string {
  let rest = Math.round(ms / 1000);
  const counts = UNITS.map(([unit, seconds]) => {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    return { unit, count };
  });
  const largest = counts.findIndex(({ count }) => count > 0);
  const shown = counts.slice(largest, largest + 2).filter(({ count }) => count > 0);
  return shown.map(({ unit, count }) => `${count}\u00a0${unit}`).join(' ');
}

export function formatFor(language: string): Format {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: session.timeZone ?? undefined });
  const year = of({ year: 'numeric' });
  const thisYear = year.format(new Date());
  const momentsWith = (clock: Intl.DateTimeFormatOptions) => {
    const options = { day: 'numeric', month: 'short', ...clock, hourCycle: 'h23' } as const;
    const [short, long] = [of(options), of({ ...options, year: 'numeric' })];
    return (iso: string): string => {
      const at = new Date(iso);
      return (year.format(at) === thisYear ? short : long).format(at);
    };
  };
  const clock = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = of({ day: 'numeric', month: 'short' });
  const dayInUtc = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const exact = of({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(language, {
    signDisplay: 'always',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const oneDecimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const moment = momentsWith({ hour: '2-digit', minute: '2-digit' });
  const utcDay = (iso: string): string => dayInUtc.format(new Date(iso));
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    signed: (value) => signed.format(value),
    moment,
    toSecond: momentsWith({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    clock: (iso) => clock.format(new Date(iso)),
    day: (iso) => day.format(new Date(iso)),
    utcDay,
    step: (iso, hourly) => (hourly ? moment(iso) : `${utcDay(iso)} UTC`),
    exact: (iso) => exact.format(new Date(iso)),
    duration: (ms) => {
      if (ms < 1000) return `${Math.round(ms)}\u00a0ms`;
      return ms < 60_000 ? `${oneDecimal.format(ms / 1000)}\u00a0s` : inUnits(ms);
    },
  };
}
