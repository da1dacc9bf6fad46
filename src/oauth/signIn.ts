import { addressBlock } from '../domain/addressBlock.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { knownDevice } from './knownDevice.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { isPassword } from '../accounts/passwordHash.js';
import type { Credentials } from '../accounts/signUp.js';
import type { Budget } from '../accounts/Throttle.js';
import { spendAll, Throttle } from '../accounts/Throttle.js';

/**
 * Limits on wrong passwords. Nobody can lock out an account's owner: an attacker uses up the account's limit
 * only at the attacker's own IP address, and a browser that signed in to the account before has its own
 * limit. Only a new browser can be refused because of others' attempts: those from its own IP address, or an
 * attack on the account from many addresses (`everywhere`).
 */
export const SIGN_IN_RULES = {
  /** Per account and IP address. */
  account: { name: 'sign_in_account', most: 10, windowSeconds: 15 * 60 },
  /** Per IP address, over all accounts. */
  address: { name: 'sign_in_address', most: 100, windowSeconds: 15 * 60 },
  /** Per account, over all IP addresses. */
  everywhere: { name: 'sign_in_everywhere', most: 1000, windowSeconds: 60 * 60 },
  /** Per account and browser that signed in to it before. */
  device: { name: 'sign_in_device', most: 10, windowSeconds: 15 * 60 },
  /** Per account, over all browsers that signed in to it before. */
  devices: { name: 'sign_in_devices', most: 100, windowSeconds: 15 * 60 },
} as const;

export type SignInResult =
  | { kind: 'signed_in'; accountId: string; passwordHash: string | null }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

interface Candidate {
  account_id: string;
  password_hash: string | null;
  is_claim: boolean;
}

const FIND = {
  name: 'account_find_password',
  text: `SELECT account_id, password_hash, false AS is_claim FROM accounts WHERE email = $1
         UNION ALL
         (SELECT account_id, password_hash, true FROM accounts WHERE claimed_email = $1
           ORDER BY created_at DESC, account_id DESC LIMIT 1)`,
};

/**
 * Checks an e-mail address and password. An attempt is counted before it is checked, so that concurrent
 * attempts gain nothing. An address without an account is counted and answered in the same way. Several
 * accounts may claim an unverified address; of those only the newest can sign in.
 */
export async function signIn(services: AccountServices, credentials: Credentials): Promise<SignInResult> {
  const email = normalizedEmail(credentials.email) ?? '';
  const candidates = await services.database.read<Candidate>(FIND, [email]);
  const owner = candidates.find((candidate) => !candidate.is_claim);
  // An account that only claims the address has no known devices: its holder must not gain attempts.
  const marked = owner && { accountId: owner.account_id, passwordHash: owner.password_hash };
  const device = knownDevice(services, marked, credentials.device);
  const budgets = budgetsOf(email, addressBlock(credentials.address), device);
  const retryAfterSeconds = await spendAll(services, budgets);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const claim = candidates.find((candidate) => candidate.is_claim);
  const account = await accountWith(credentials.password, owner, claim);
  if (account === undefined) return { kind: 'refused' };
  await restore(services, budgets, account);
  return { kind: 'signed_in', accountId: account.account_id, passwordHash: account.password_hash };
}

/**
 * The account that has the password: the owner of the address, or the newest account that claims it. A
 * refusal always takes two hash comparisons, so its duration does not show which of them exist.
 */
async function accountWith(
  password: string,
  owner: Candidate | undefined,
  claim: Candidate | undefined,
): Promise<Candidate | undefined> {
  if (await isPassword(password, owner?.password_hash)) return owner;
  return (await isPassword(password, claim?.password_hash)) ? claim : undefined;
}

/** Narrowest limit first: an attempt refused there does not count against the wider ones. */
function budgetsOf(email: string, block: string, device: string | undefined): Budget[] {
  const budget = (rule: keyof typeof SIGN_IN_RULES, subject: string): Budget => ({
    rule: SIGN_IN_RULES[rule],
    subject,
  });
  if (device !== undefined) return [budget('device', `${email} ${device}`), budget('devices', email)];
  return [budget('account', `${email} ${block}`), budget('address', block), budget('everywhere', email)];
}

/**
 * A correct password gives this attempt back, and that of the owner of the address resets the narrowest
 * limit. That of a claim does not: its holder would gain attempts on the owner's password.
 */
async function restore(
  services: AccountServices,
  budgets: readonly Budget[],
  { is_claim: isClaim }: Candidate,
): Promise<void> {
  await Promise.all(
    budgets.map(({ rule, subject }, index) => {
      const throttle = new Throttle(services, rule);
      return index === 0 && !isClaim ? throttle.forget(subject) : throttle.giveBack(subject);
    }),
  );
}
