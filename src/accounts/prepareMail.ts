import { issueToken } from './accountToken.js';
import type { Transaction } from '../database/Transaction.js';
import { textsFor } from '../texts/textsFor.js';
import type { Mail } from '../texts/Mail.js';
import type { WrittenMail } from '../mail/writeMail.js';
import { writeMail } from '../mail/writeMail.js';

/**
 * Writes a queued mail. A new password is looked up only here, away from the request that asked for it: no
 * answer, and no time that an answer takes, tells whether an address has an account.
 *
 * @returns undefined when there is nobody to send it to
 */
export async function prepareMail(
  tx: Transaction,
  { config, clock }: { config: { baseUrl: string }; clock: () => Date },
  mail: Mail,
): Promise<WrittenMail | undefined> {
  if (mail.kind !== 'reset_password') return writeMail(mail, config.baseUrl);
  const account = await tx.one<{ account_id: string }>('SELECT account_id FROM accounts WHERE email = $1', [
    mail.to,
  ]);
  if (account === undefined) return undefined;
  const token = await issueToken(tx, clock(), {
    kind: 'reset_password',
    accountId: account.account_id,
    data: { email: mail.to },
  });
  const { mail: texts } = textsFor(mail.locale);
  const { subject, lines } = texts.resetPassword(`${config.baseUrl}/reset-password?token=${token}`);
  return {
    to: mail.to,
    subject,
    text: [...lines, texts.footer(config.baseUrl)].join('\n\n'),
    language: mail.locale,
  };
}
