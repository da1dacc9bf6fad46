import { addressBlock } from '../domain/addressBlock.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import type { OauthServices } from './OauthServices.js';
import { isPassword } from './passwordHash.js';
import { Throttle } from './Throttle.js';

/** Wrong attempts that one account, and one address, may make (decisions 8). */
export const SIGN_IN_RULES = {
  account: { name: 'sign_in_account', most: 10, windowSeconds: 15 * 60 },
  address: { name: 'sign_in_address', most: 100, windowSeconds: 15 * 60 },
} as const;

export interface Credentials {
  email: string;
  password: string;
  /** The IP address that the attempt comes from. */
  address: string;
}

export type SignInResult =
  { kind: 'signed_in'; accountId: string } | { kind: 'refused' } | { kind: 'throttled'; retryAfterSeconds: number };

const FIND = {
  name: 'account_find_password',
  text: 'SELECT account_id, password_hash FROM accounts WHERE email = $1',
};

/**
 * Checks an e-mail address and password. Attempts count before they are checked, so that many at once gain nothing, and an
 * address without an account is counted and answered like one with.
 */
export async function signIn(services: OauthServices, credentials: Credentials): Promise<SignInResult> {
  const email = normalizedEmail(credentials.email) ?? '';
  const block = addressBlock(credentials.address);
  const byAccount = new Throttle(services, SIGN_IN_RULES.account);
  const byAddress = new Throttle(services, SIGN_IN_RULES.address);
  const retryAfterSeconds = (await byAddress.take(block)) || (await byAccount.take(email));
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const [account] = await services.database.read<{ account_id: string; password_hash: string | null }>(FIND, [email]);
  if (!(await isPassword(credentials.password, account?.password_hash)) || account === undefined)
    return { kind: 'refused' };
  await Promise.all([byAccount.forget(email), byAddress.giveBack(block)]);
  return { kind: 'signed_in', accountId: account.account_id };
}
