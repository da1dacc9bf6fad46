import type { Locale } from '../texts/textsFor.js';

/** A person signed in, in one browser. */
export interface AccountSession {
  accountId: string;
  email: string;
  /** Somebody proved that the address is theirs; until then the account approves nothing. */
  emailVerified: boolean;
  /** The language that the person chose, or first came with. */
  locale: Locale;
  /** An IANA name; null: the browser's own. */
  timeZone: string | null;
  /** Names the session without giving it away: what forms are bound to. */
  id: string;
  startedAt: string;
}
