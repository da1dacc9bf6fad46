import type { Transaction } from '../database/Transaction.js';
import { nameInText } from '../domain/displayName.js';
import type { Purpose } from '../domain/purposes.js';
import type { SecretBox } from '../domain/SecretBox.js';
import { queueMail } from './queueMail.js';
import { localeNamed } from '../texts/locale.js';

interface Recipient {
  email: string;
  locale: string;
  time_zone: string | null;
  approval_notices: boolean;
  partner: string;
}

/** A person's decision, for the mail about it. */
export interface Decision {
  accountId: string;
  purposes: readonly Purpose[];
  /** Of an approval: when it expires unless the partner records it. Absent for a withdrawal. */
  until?: string;
}

/**
 * Mails a person their decision, in the transaction of the decision. Mails about approvals can be turned off;
 * mails about withdrawals cannot. An unverified address gets no mail.
 */
export async function queueNotice(
  tx: Transaction,
  services: { appId: string; secrets: SecretBox; clock: () => Date },
  { accountId, purposes, until }: Decision,
): Promise<void> {
  const to = await tx.one<Recipient>(RECIPIENT, [accountId, services.appId]);
  if (to === undefined || (until !== undefined && !to.approval_notices)) return;
  const partner = nameInText(to.partner, services.appId);
  const about = { partner, purposes, at: services.clock().toISOString() };
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
