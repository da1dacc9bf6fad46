import { session } from '../../session.ts';

/** When a day begins in the zone of the reader, in milliseconds. A month goes on with days of the next. */
export function startOfDay(year: number, month: number, day: number): number {
  if (session.timeZone === null) return new Date(year, month - 1, day).getTime();
  const wanted = Date.UTC(year, month - 1, day);
  // The second look has the offset of the day itself, where clocks change beside it.
  const near = wanted - offsetAt(wanted, session.timeZone);
  return wanted - offsetAt(near, session.timeZone);
}

/** How far clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(time);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - time;
}
