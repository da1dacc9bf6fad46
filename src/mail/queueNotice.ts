import type { Transaction } from '../database/Transaction.js';
import type { Purpose } from '../domain/purposes.js';
import type { SecretBox } from '../domain/SecretBox.js';
import { queueMail } from './queueMail.js';
import { localeNamed } from '../texts/textsFor.js';

interface Recipient extends Record<string, unknown> {
  email: string;
  locale: string;
  time_zone: string | null;
  approval_notices: boolean;
  partner: string;
}

/** What a person decided, to be told to them by mail. */
export interface Decision {
  accountId: string;
  purposes: readonly Purpose[];
  /** Of an approval: when it lapses unless the partner records it. Absent of a withdrawal. */
  until?: string;
}

/**
 * Mails a person what they decided, in the transaction of the decision. Approvals are not told to whoever
 * turned that off; withdrawals always are. An address that nobody proved gets no mail.
 */
export async function queueNotice(
  tx: Transaction,
  services: { appId: string; secrets: SecretBox; clock: () => Date },
  { accountId, purposes, until }: Decision,
): Promise<void> {
  const to = await tx.one<Recipient>(RECIPIENT, [accountId, services.appId]);
  if (to === undefined || (until !== undefined && !to.approval_notices)) return;
  const about = { partner: to.partner, purposes, at: services.clock().toISOString() };
  const person = { to: to.email, locale: localeNamed(to.locale), timeZone: to.time_zone };
  await queueMail(
    tx,
    services,
    until === undefined
      ? { kind: 'withdrawn', ...person, data: about }
      : { kind: 'approved', ...person, data: { ...about, until } },
  );
}

const RECIPIENT = `
  SELECT c.email, c.locale, c.time_zone, c.approval_notices, a.name AS partner
    FROM accounts c, apps a WHERE c.account_id = $1 AND c.email_verified AND a.app_id = $2`;
