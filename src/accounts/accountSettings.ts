import { accounts } from '../../entities/AccountEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import { accountTokens } from '../../entities/AccountTokenEntity.js';
import { oauthArtifacts } from '../../entities/OauthArtifactEntity.js';
import { not } from '../../entities/Table.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountSession } from './AccountSession.js';
import type { AccountServices } from './AccountServices.js';
import { issueToken } from './accountToken.js';
import { changeAccount } from './changeAccount.js';
import { hashPassword } from './passwordHash.js';
import { Throttle } from './Throttle.js';
import type { Locale } from '../texts/locale.js';
import { mailAddressProof } from './addressProof.js';
import { mayMail } from './mayMail.js';

const ADDRESS_RULE = { name: 'address_change', most: 5, windowSeconds: 3600 } as const;

/**
 * Sets a new password. Every other session and every token ends, and mailed links and codes do, except the
 * proof of the account's own address. A verified address is mailed.
 */
export async function changePassword(
  services: AccountServices,
  account: AccountSession,
  password: string,
): Promise<PasswordProblem | undefined> {
  const problem = passwordProblem(password, account.email);
  if (problem !== undefined) return problem;
  const passwordHash = await hashPassword(password);
  const { email: to, locale } = account;
  await changeAccount(services, account, async (tx) => {
    const own = { account_id: account.accountId };
    await accounts.update(tx, own, { password_hash: passwordHash, updated_at: services.clock() });
    await accountSessions.delete(tx, { ...own, token_hash: not(account.id) });
    await oauthArtifacts.delete(tx, own);
    await accountTokens.delete(tx, { ...own, kind: not('verify_address') });
    if (account.emailVerified)
      await queueMail(tx, services, { kind: 'password_changed', to, locale, data: {} });
  });
  return undefined;
}

export type AddressChange =
  { kind: 'mailed' } | { kind: 'invalid' } | { kind: 'throttled'; retryAfterSeconds: number };

/**
 * Mails a proof to a new address. The account gets the address when the proof is used. If another account has
 * the address, its owner is mailed instead, and the answer is the same; so it is when the address has had all
 * mails that it may have (`mayMail`).
 */
export async function changeAddress(
  services: AccountServices,
  account: AccountSession,
  wanted: string,
): Promise<AddressChange> {
  const email = normalizedEmail(wanted);
  if (email === undefined || email === account.email) return { kind: 'invalid' };
  const retryAfterSeconds = await new Throttle(services, ADDRESS_RULE).take(account.accountId);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const isMailed = await mayMail(services, email);
  const { accountId, locale } = account;
  await changeAccount(services, account, async (tx) => {
    const isTaken = await accounts.has(tx, { email });
    if (isMailed && !isTaken)
      return mailAddressProof(tx, services, {
        kind: 'change_address',
        accountId,
        email,
        locale,
        returnTo: '/account',
      });
    // The pages ask for the code of this address as well: that no code is right does not show.
    const data = { email, code: '', return_to: '/account' };
    await issueToken(tx, services.clock(), { kind: 'change_address', accountId, data });
    if (isMailed) await queueMail(tx, services, { kind: 'address_in_use', to: email, locale, data: {} });
  });
  return { kind: 'mailed' };
}

export interface Preferences {
  locale: Locale;
  timeZone: string | null;
  approvalNotices: boolean;
}

export async function setPreferences(
  { database, clock }: AccountServices,
  accountId: string,
  { locale, timeZone, approvalNotices }: Preferences,
): Promise<void> {
  const chosen = { locale, locale_chosen: true, time_zone: timeZone, approval_notices: approvalNotices };
  await accounts.update(database, { account_id: accountId }, { ...chosen, updated_at: clock() });
}

/** Ends one of the account's sessions, or all except the current one. */
export async function endSessions(
  { database }: AccountServices,
  account: AccountSession,
  which: string | 'others',
): Promise<void> {
  await accountSessions.delete(database, {
    account_id: account.accountId,
    token_hash: which === 'others' ? not(account.id) : which,
  });
}
