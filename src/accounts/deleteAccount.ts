import { enqueue } from '../database/workQueue.js';
import { newId } from '../domain/ids.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountServices } from './AccountServices.js';
import { localeNamed } from '../texts/textsFor.js';
import { endAccess } from './endAccess.js';

interface AccountRow extends Record<string, unknown> {
  email: string;
  email_verified: boolean;
  locale: string;
}

/**
 * Begins the deletion of an account: from here on nobody gets in and it approves nothing. What it allowed is
 * withdrawn by `eraseAccount`, which finishes whatever happens to this process.
 *
 * @returns the id under which the deletion can be followed; undefined when there is no such account
 */
export async function deleteAccount(
  services: AccountServices,
  accountId: string,
): Promise<string | undefined> {
  return services.database.transaction(null, async (tx) => {
    const account = await tx.one<AccountRow>(
      'SELECT email, email_verified, locale FROM accounts WHERE account_id = $1 FOR UPDATE',
      [accountId],
    );
    if (account === undefined) return undefined;
    const [erasure, now] = [newId('ers'), services.clock()];
    await endAccess(tx, accountId, { passkeys: true });
    await tx.execute('DELETE FROM app_members WHERE account_id = $1', [accountId]);
    await tx.execute(CLOSE, [accountId, `${accountId}@deleted.invalid`, now]);
    await tx.execute(
      `INSERT INTO account_erasures (erasure_id, account_id, status, created_at) VALUES ($1, $2, 'accepted', $3)`,
      [erasure, accountId, now],
    );
    await enqueue(tx, 'account', [erasure], now);
    const locale = localeNamed(account.locale);
    if (account.email_verified)
      await queueMail(tx, services, {
        kind: 'account_deleted',
        to: account.email,
        locale,
        timeZone: null,
        data: { erasure },
      });
    return erasure;
  });
}

const CLOSE = `
  UPDATE accounts SET email = $2, email_verified = false, password_hash = NULL, upstream_issuer = NULL,
         upstream_subject = NULL, time_zone = NULL, updated_at = $3
   WHERE account_id = $1`;
