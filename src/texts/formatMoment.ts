import type { Locale } from './locale.js';

/** A moment in the reader's language, in the zone given and named; UTC where the reader's is not known. */
export function formatMoment(locale: Locale, isoTime: string, timeZone: string | null = null): string {
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  });
  return format.format(new Date(isoTime));
}
