import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountServices } from './AccountServices.js';
import { hashPassword } from './passwordHash.js';
import { localeNamed } from '../texts/textsFor.js';
import { findToken, takeToken } from './accountToken.js';
import { endAccess } from './endAccess.js';

export type ResetResult =
  { kind: 'reset'; accountId: string } | { kind: 'invalid'; problem: PasswordProblem } | { kind: 'spent' };

interface AccountRow extends Record<string, unknown> {
  email: string;
  email_verified: boolean;
  locale: string;
}

/**
 * Sets a new password with the secret of a mailed link, which proves the address too. Every session and token
 * of the account ends; what was set before the address was proved (passkeys) goes with it.
 */
export async function resetPassword(
  services: AccountServices,
  token: string,
  password: string,
): Promise<ResetResult> {
  const asked = await findToken(services.database, services.clock(), 'reset_password', token);
  if (asked === undefined) return { kind: 'spent' };
  const problem = passwordProblem(password, asked.data['email'] ?? '');
  if (problem !== undefined) return { kind: 'invalid', problem };
  const passwordHash = await hashPassword(password);
  return services.database.transaction(null, async (tx): Promise<ResetResult> => {
    const spent = await takeToken(tx, services.clock(), 'reset_password', token);
    if (spent?.accountId == null) return { kind: 'spent' };
    const account = await tx.one<AccountRow>(
      'SELECT email, email_verified, locale FROM accounts WHERE account_id = $1 AND email = $2 FOR UPDATE',
      [spent.accountId, spent.data['email']],
    );
    if (account === undefined) return { kind: 'spent' };
    await tx.execute(
      'UPDATE accounts SET password_hash = $2, email_verified = true, updated_at = $3 WHERE account_id = $1',
      [spent.accountId, passwordHash, services.clock()],
    );
    await endAccess(tx, spent.accountId, { passkeys: !account.email_verified });
    const locale = localeNamed(account.locale);
    await queueMail(tx, services, {
      kind: 'password_changed',
      to: account.email,
      locale,
      timeZone: null,
      data: {},
    });
    return { kind: 'reset', accountId: spent.accountId };
  });
}
