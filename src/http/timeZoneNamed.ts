/** A time zone by its IANA name; null when the name is unknown. */
export function timeZoneNamed(name: string): string | null {
  if (name === '' || name.length > 64) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
