import { accounts } from '../../entities/AccountEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { Locale } from '../texts/locale.js';
import { endAccess } from './endAccess.js';

/** The settings of an account whose person has chosen none. */
const UNCHOSEN = { locale: 'en', locale_chosen: false, time_zone: null, approval_notices: true } as const;

/**
 * Takes away what another person may have made of an account whose address was not proved: sessions, tokens,
 * passkeys and settings. The password is left to the caller.
 *
 * @param visit the language and time zone of the visit by which the owner gets in, if known
 */
export async function expelStranger(
  tx: Transaction,
  accountId: string,
  visit: { locale?: Locale; time_zone?: string | null } = {},
): Promise<void> {
  await accounts.update(tx, { account_id: accountId }, { ...UNCHOSEN, ...visit });
  await endAccess(tx, accountId, { passkeys: true });
}
