import { accounts } from '../../entities/AccountEntity.js';
import { sqlState, UNIQUE_VIOLATION } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import { queueMail } from '../mail/queueMail.js';
import type { AccountServices } from './AccountServices.js';
import { hashPassword } from './passwordHash.js';
import type { Locale } from '../texts/locale.js';
import { localeNamed } from '../texts/locale.js';
import { findToken, takeToken } from './accountToken.js';
import { adoptClaim } from './adoptClaim.js';
import { endAccess } from './endAccess.js';
import { expelStranger } from './expelStranger.js';
import { insertPasskey, passkeyCreation, readNewPasskey } from './passkeyCreation.js';
import { isOurChallenge, newChallenge } from './passkeys.js';

type Reset = { kind: 'reset'; accountId: string } | { kind: 'spent' };

/**
 * Sets a new password with the secret of a mailed link, which also proves the address. All sessions and
 * tokens of the account end. If the address was unverified until now, its passkeys are removed too, and its
 * settings are reset, with the language of the visit.
 */
export async function resetPassword(
  services: AccountServices,
  token: string,
  password: string,
  visitLocale: Locale,
): Promise<Reset | { kind: 'invalid'; problem: PasswordProblem }> {
  const asked = await findToken(services.database, services.clock(), 'reset_password', token);
  if (asked === undefined) return { kind: 'spent' };
  const problem = passwordProblem(password, asked.data['email'] ?? '');
  if (problem !== undefined) return { kind: 'invalid', problem };
  const passwordHash = await hashPassword(password);
  return unlessProved(
    services.database.transaction(null, async (tx): Promise<Reset> => {
      const account = await letBackIn(tx, services, token, { passwordHash, visitLocale });
      if (account === undefined) return { kind: 'spent' };
      const { accountId, email: to, locale } = account;
      await queueMail(tx, services, { kind: 'password_changed', to, locale, data: {} });
      return { kind: 'reset', accountId };
    }),
  );
}

/**
 * Options with which a browser creates a passkey in place of a forgotten password; undefined for a used link.
 */
export async function passkeyResetOptions(
  services: AccountServices,
  token: string,
): Promise<object | undefined> {
  const asked = await findToken(services.database, services.clock(), 'reset_password', token);
  if (asked?.accountId == null) return undefined;
  const person = { accountId: asked.accountId, email: asked.data['email'] ?? '' };
  return passkeyCreation(services, person, await newChallenge(services, asked.accountId));
}

/** Like `resetPassword` with a passkey. The account has no password afterwards. */
export async function resetToPasskey(
  services: AccountServices,
  token: string,
  answer: string,
  label: string,
  visitLocale: Locale,
): Promise<Reset | { kind: 'refused' }> {
  const asked = await findToken(services.database, services.clock(), 'reset_password', token);
  if (asked === undefined) return { kind: 'spent' };
  const credential = await readNewPasskey(services, answer, (challenge) =>
    isOurChallenge(services, asked.accountId, challenge),
  );
  if (credential === undefined) return { kind: 'refused' };
  return unlessProved(
    services.database.transaction(null, async (tx): Promise<Reset> => {
      const account = await letBackIn(tx, services, token, { passwordHash: null, visitLocale });
      if (account === undefined) return { kind: 'spent' };
      const { accountId, email: to, locale } = account;
      await insertPasskey(tx, services, accountId, credential, label);
      await queueMail(tx, services, { kind: 'passkey_added', to, locale, data: { label } });
      return { kind: 'reset', accountId };
    }),
  );
}

/** Another account may prove the address at the same moment: then the link is of no use any more. */
function unlessProved(resetting: Promise<Reset>): Promise<Reset> {
  return resetting.catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return { kind: 'spent' };
    throw error;
  });
}

/** Uses up the link, verifies the address and ends all access; undefined when the link is used. */
async function letBackIn(
  tx: Transaction,
  { clock }: AccountServices,
  token: string,
  { passwordHash, visitLocale }: { passwordHash: string | null; visitLocale: Locale },
): Promise<{ accountId: string; email: string; locale: Locale } | undefined> {
  const spent = await takeToken(tx, clock(), 'reset_password', token);
  if (spent?.accountId == null) return undefined;
  const { accountId } = spent;
  const key = { account_id: accountId, email: spent.data['email'] ?? '' };
  await adoptClaim(tx, key.email, accountId);
  const account = await accounts.find(tx, ['email_verified', 'locale'], key, 'FOR UPDATE');
  if (account === undefined) return undefined;
  const proved = { password_hash: passwordHash, email_verified: true, updated_at: clock() };
  await accounts.update(tx, key, proved);
  if (account.email_verified) await endAccess(tx, accountId, { passkeys: false });
  else await expelStranger(tx, accountId, { locale: visitLocale });
  const locale = account.email_verified ? localeNamed(account.locale) : visitLocale;
  return { accountId, email: key.email, locale };
}
