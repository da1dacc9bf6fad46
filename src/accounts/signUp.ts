import { mayMail } from './mayMail.js';
import { accounts } from '../../entities/AccountEntity.js';
import { mailAddressProof } from './addressProof.js';
import type { Transaction } from '../database/Transaction.js';
import { addressBlock } from '../domain/addressBlock.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import type { Locale } from '../texts/locale.js';
import type { AccountServices } from './AccountServices.js';
import { hashPassword } from './passwordHash.js';
import { Throttle } from './Throttle.js';

const SIGN_UP_RULE = { name: 'sign_up_address', most: 30, windowSeconds: 3600 } as const;

export type SignUpProblem = 'email_invalid' | PasswordProblem;

export type SignUpResult =
  | { kind: 'signed_up'; accountId: string }
  | { kind: 'invalid'; problems: SignUpProblem[] }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Data of a new account, without its credentials. */
export interface Newcomer {
  locale: Locale;
  timeZone: string | null;
  /** The page to open once the address is verified. */
  returnTo: string;
}

export interface Credentials {
  email: string;
  password: string;
  /** The IP address that the attempt comes from. */
  address: string;
  /** The browser's mark of earlier sign-ins (`deviceMark`). */
  device?: string | undefined;
}

export type SignUp = Newcomer & Credentials;

/**
 * Creates an account that claims an e-mail address. The account gets the address when the mailed link or code
 * is used. If another account has the address, the answer is the same and its owner is mailed instead.
 */
export async function signUp(services: AccountServices, credentials: SignUp): Promise<SignUpResult> {
  const email = normalizedEmail(credentials.email);
  const problems = problemsOf(email, credentials.password);
  if (email === undefined || problems.length > 0) return { kind: 'invalid', problems };
  const retryAfterSeconds = await waitToSignUp(services, credentials.address);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const passwordHash = await hashPassword(credentials.password);
  const accountId = newId('acc');
  const isMailed = await mayMail(services, email);
  await services.database.transaction(null, (tx) =>
    insertAccount(tx, services, { ...credentials, accountId, email, passwordHash, isMailed }),
  );
  return { kind: 'signed_up', accountId };
}

/** Counts a sign-up of a network. @returns seconds to wait when none is left, else 0 */
export function waitToSignUp(services: AccountServices, address: string): Promise<number> {
  return new Throttle(services, SIGN_UP_RULE).take(addressBlock(address));
}

export interface ClaimingAccount extends Newcomer {
  accountId: string;
  email: string;
  passwordHash: string | null;
  isMailed: boolean;
}

/** Creates an account that claims the address, and mails the proof. */
export async function insertAccount(
  tx: Transaction,
  services: AccountServices,
  { accountId, email, passwordHash, locale, timeZone, returnTo, isMailed }: ClaimingAccount,
): Promise<void> {
  const now = services.clock();
  await accounts.insert(tx, {
    account_id: accountId,
    email: `${accountId}@unproved.invalid`,
    claimed_email: email,
    email_verified: false,
    password_hash: passwordHash,
    locale,
    time_zone: timeZone,
    created_at: now,
    updated_at: now,
  });
  if (isMailed)
    await mailAddressProof(tx, services, { kind: 'verify_address', accountId, email, locale, returnTo });
}

function problemsOf(email: string | undefined, password: string): SignUpProblem[] {
  const problem = passwordProblem(password, email ?? '');
  return [
    ...(email === undefined ? ['email_invalid' as const] : []),
    ...(problem === undefined ? [] : [problem]),
  ];
}
