import { addressBlock } from '../domain/addressBlock.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { PasswordProblem } from '../domain/passwordProblem.js';
import { passwordProblem } from '../domain/passwordProblem.js';
import type { OauthServices } from './OauthServices.js';
import { hashPassword } from './passwordHash.js';
import type { Credentials } from './signIn.js';
import { Throttle } from './Throttle.js';

const SIGN_UP_RULE = { name: 'sign_up_address', most: 30, windowSeconds: 3600 } as const;

export type SignUpProblem = 'email_invalid' | 'email_taken' | PasswordProblem;

export type SignUpResult =
  | { kind: 'signed_up'; accountId: string }
  | { kind: 'invalid'; problems: SignUpProblem[] }
  | { kind: 'throttled'; retryAfterSeconds: number };

const INSERT = {
  name: 'account_sign_up',
  text: `INSERT INTO accounts (account_id, email, email_verified, password_hash, created_at, updated_at)
         VALUES ($1, $2, false, $3, $4, $4) ON CONFLICT (email) DO NOTHING RETURNING account_id`,
};

/** Makes an account for whoever asks. Nobody has checked that the e-mail address is theirs, and the account says so. */
export async function signUp(services: OauthServices, credentials: Credentials): Promise<SignUpResult> {
  const email = normalizedEmail(credentials.email);
  const problems = problemsOf(email, credentials.password);
  if (email === undefined || problems.length > 0) return { kind: 'invalid', problems };
  const retryAfterSeconds = await new Throttle(services, SIGN_UP_RULE).take(addressBlock(credentials.address));
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const values = [newId('acc'), email, await hashPassword(credentials.password), services.clock()];
  const [account] = await services.database.read<{ account_id: string }>(INSERT, values);
  if (account === undefined) return { kind: 'invalid', problems: ['email_taken'] };
  return { kind: 'signed_up', accountId: account.account_id };
}

function problemsOf(email: string | undefined, password: string): SignUpProblem[] {
  const problem = passwordProblem(password, email ?? '');
  return [...(email === undefined ? ['email_invalid' as const] : []), ...(problem === undefined ? [] : [problem])];
}
