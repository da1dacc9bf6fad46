/** Consent purposes in their REST spelling. The order is storage: a purpose's place is its bit in a mask and its index in `epochs`. */
export const PURPOSES = [
  'account_linking',
  'personalization',
  'analytics',
  'support',
  'event_enrichment',
  'profile_resolution',
  'measurement',
] as const;

export type Purpose = (typeof PURPOSES)[number];

export const ALL_PURPOSES_MASK = (1 << PURPOSES.length) - 1;

/** The purpose's place, 0 to 6. */
export function purposeIndex(purpose: Purpose): number {
  return PURPOSES.indexOf(purpose);
}

export function maskOf(purposes: readonly Purpose[]): number {
  return purposes.reduce((mask, purpose) => mask | (1 << purposeIndex(purpose)), 0);
}

export function purposesOf(mask: number): Purpose[] {
  return PURPOSES.filter((_, index) => (mask & (1 << index)) !== 0);
}

export function isPurpose(text: string): text is Purpose {
  return (PURPOSES as readonly string[]).includes(text);
}
