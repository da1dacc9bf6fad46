import { accounts } from '../../entities/AccountEntity.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountServices } from './AccountServices.js';
import { localeNamed } from '../texts/locale.js';
import type { ChangingSession } from './changeAccount.js';
import { changeAccount } from './changeAccount.js';
import { closeAccount } from './closeAccount.js';

/**
 * Starts the deletion of an account. Nobody can sign in to it any more, and it approves nothing.
 * `eraseAccount` withdraws its approvals; a worker finishes that if this process is killed.
 *
 * @returns the id under which the deletion can be followed; undefined when there is no such account
 */
export async function deleteAccount(
  services: AccountServices,
  session: ChangingSession,
): Promise<string | undefined> {
  const { accountId } = session;
  return changeAccount(services, session, async (tx) => {
    const wanted = ['email', 'email_verified', 'locale'] as const;
    const account = await accounts.find(tx, wanted, { account_id: accountId });
    if (account === undefined) return undefined;
    const erasure = await closeAccount(tx, accountId, services.clock());
    const locale = localeNamed(account.locale);
    if (account.email_verified)
      await queueMail(tx, services, {
        kind: 'account_deleted',
        to: account.email,
        locale,
        data: { erasure },
      });
    return erasure;
  });
}
