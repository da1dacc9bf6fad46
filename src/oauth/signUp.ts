import { addressBlock } from '../domain/addressBlock.js';
import { mailAddressProof } from '../accounts/addressProof.js';
import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import type { Locale } from '../texts/textsFor.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { hashPassword } from '../accounts/passwordHash.js';
import type { Credentials } from './signIn.js';
import { Throttle } from '../accounts/Throttle.js';

const SIGN_UP_RULE = { name: 'sign_up_address', most: 30, windowSeconds: 3600 } as const;

export type SignUpProblem = 'email_invalid' | 'email_taken' | PasswordProblem;

export type SignUpResult =
  | { kind: 'signed_up'; accountId: string }
  | { kind: 'invalid'; problems: SignUpProblem[] }
  | { kind: 'throttled'; retryAfterSeconds: number };

const INSERT = `INSERT INTO accounts (account_id, email, email_verified, password_hash, locale, time_zone, created_at, updated_at)
         VALUES ($1, $2, false, $3, $5, $6, $4, $4) ON CONFLICT (email) DO NOTHING RETURNING account_id`;

export interface NewAccount extends Credentials {
  locale: Locale;
  timeZone: string | null;
  /** Where to go on once the address is proved. */
  returnTo: string;
}

/**
 * Makes an account for whoever asks. Nobody has checked that the e-mail address is theirs, and the account
 * says so until the link or code is used that is mailed there.
 */
export async function signUp(services: AccountServices, credentials: NewAccount): Promise<SignUpResult> {
  const email = normalizedEmail(credentials.email);
  const problems = problemsOf(email, credentials.password);
  if (email === undefined || problems.length > 0) return { kind: 'invalid', problems };
  const retryAfterSeconds = await new Throttle(services, SIGN_UP_RULE).take(
    addressBlock(credentials.address),
  );
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const passwordHash = await hashPassword(credentials.password);
  const accountId = await services.database.transaction(null, (tx) =>
    insertAccount(tx, services, { ...credentials, email, passwordHash }),
  );
  if (accountId === undefined) return { kind: 'invalid', problems: ['email_taken'] };
  return { kind: 'signed_up', accountId };
}

/** Makes the account and mails the proof of its address. Undefined when the address has an account. */
export async function insertAccount(
  tx: Transaction,
  services: AccountServices,
  {
    email,
    passwordHash,
    locale,
    timeZone,
    returnTo,
  }: Omit<NewAccount, keyof Credentials> & {
    email: string;
    passwordHash: string | null;
  },
): Promise<string | undefined> {
  const values = [newId('acc'), email, passwordHash, services.clock(), locale, timeZone];
  const account = await tx.one<{ account_id: string }>(INSERT, values);
  if (account === undefined) return undefined;
  const accountId = account.account_id;
  await mailAddressProof(tx, services, { kind: 'verify_address', accountId, email, locale, returnTo });
  return accountId;
}

function problemsOf(email: string | undefined, password: string): SignUpProblem[] {
  const problem = passwordProblem(password, email ?? '');
  return [
    ...(email === undefined ? ['email_invalid' as const] : []),
    ...(problem === undefined ? [] : [problem]),
  ];
}
