import type { Purpose } from '../domain/purposes.js';
import type { Locale } from './locale.js';

/** What each kind of mail is about. Never values of a profile. */
export interface MailData {
  /** Proves that the address is the account's: the link, or the code where the link cannot be opened. */
  verify_address: { token: string; code: string; returnTo?: string };
  /**
   * Somebody asked for a new password. Whether there is an account is looked up only when the mail is
   * written.
   */
  reset_password: object;
  /** Proves the new address of an account. */
  change_address: { token: string; code: string; returnTo?: string };
  /** To the former address, after a change. */
  address_changed: object;
  /**
   * To an address that somebody wanted for another account, with the page of ours on which they were.
   */
  address_in_use: { returnTo?: string };
  password_changed: object;
  passkey_added: { label: string };
  approved: { partner: string; purposes: readonly Purpose[]; at: string; until: string };
  withdrawn: { partner: string; purposes: readonly Purpose[]; at: string };
  account_deleted: { erasure: string };
}

export type MailKind = keyof MailData;

/** A mail before it is written; `timeZone` of those that tell times. */
export type Mail = {
  [K in MailKind]: { kind: K; to: string; locale: Locale; timeZone?: string | null; data: MailData[K] };
}[MailKind];
