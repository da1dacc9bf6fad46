import type { Locale } from '../texts/locale.js';

/** The sign-in of a person in one browser. */
export interface AccountSession {
  accountId: string;
  email: string;
  /** Whether the account proved its address. Until then it cannot approve anything. */
  emailVerified: boolean;
  /** The language chosen by the person, initially that of the first visit. */
  locale: Locale;
  /** An IANA name; null: the browser's time zone. */
  timeZone: string | null;
  /** Identifies the session without revealing its token. Forms are bound to it. */
  id: string;
  /**
   * When the person signed in: here, or at the upstream provider, possibly before the session began. The
   * epoch if the provider does not tell.
   */
  startedAt: string;
}
