import { issueToken } from './accountToken.js';
import type { Transaction } from '../database/Transaction.js';
import { textsFor } from '../texts/textsFor.js';
import type { Mail } from '../texts/Mail.js';
import type { WrittenMail } from '../mail/writeMail.js';
import { writeMail, writtenMail } from '../mail/writeMail.js';

/** The account that has the address, otherwise the newest that claims it. */
const ACCOUNT_TO_RESET = `
  SELECT account_id FROM accounts WHERE $1 IN (email, claimed_email)
   ORDER BY claimed_email IS NULL DESC, created_at DESC, account_id DESC LIMIT 1`;

/**
 * Writes a queued mail. The account of an address is looked up here and not in the request for a new password
 * or account, so that neither the answer nor the duration of that request shows whether it exists.
 *
 * @returns undefined when there is no recipient
 */
export async function prepareMail(
  tx: Transaction,
  { config, clock }: { config: { baseUrl: string }; clock: () => Date },
  mail: Mail,
): Promise<WrittenMail | undefined> {
  if (mail.kind === 'verify_address' && (await isProved(tx, mail.to)))
    return writeMail({ ...mail, kind: 'address_in_use' }, config.baseUrl);
  if (mail.kind !== 'reset_password') return writeMail(mail, config.baseUrl);
  const account = await tx.one<{ account_id: string }>(ACCOUNT_TO_RESET, [mail.to]);
  if (account === undefined) return undefined;
  const token = await issueToken(tx, clock(), {
    kind: 'reset_password',
    accountId: account.account_id,
    data: { email: mail.to },
  });
  const link = `${config.baseUrl}/reset-password?token=${token}`;
  return writtenMail(mail, textsFor(mail.locale).mail.resetPassword(link), config.baseUrl);
}

async function isProved(tx: Transaction, email: string): Promise<boolean> {
  const [{ proved } = { proved: false }] = await tx.query<{ proved: boolean }>(
    'SELECT EXISTS (SELECT FROM accounts WHERE email = $1 AND email_verified) AS proved',
    [email],
  );
  return proved;
}
