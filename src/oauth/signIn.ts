import { addressBlock } from '../domain/addressBlock.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { knownDevice } from './knownDevice.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { isPassword } from '../accounts/passwordHash.js';
import { Throttle } from '../accounts/Throttle.js';

/**
 * Limits on wrong passwords. Nobody can lock an account's owner out: a guesser spends the budget of the
 * account at the guesser's own IP address, and a browser that signed in to the account before has a budget of
 * its own. Only a new browser can be refused for the attempts of others, and only while thousands of IP
 * addresses guess at the account.
 */
export const SIGN_IN_RULES = {
  /** Of one account, at one address. */
  account: { name: 'sign_in_account', most: 10, windowSeconds: 15 * 60 },
  /** At one address, over all accounts. */
  address: { name: 'sign_in_address', most: 100, windowSeconds: 15 * 60 },
  /** Of one account, over all addresses. */
  everywhere: { name: 'sign_in_everywhere', most: 1000, windowSeconds: 60 * 60 },
  /** Of one account, in one browser in which it was signed in to before. */
  device: { name: 'sign_in_device', most: 10, windowSeconds: 15 * 60 },
} as const;

export interface Credentials {
  email: string;
  password: string;
  /** The IP address that the attempt comes from. */
  address: string;
  /** What the browser shows of earlier sign-ins (`deviceMark`). */
  device?: string | undefined;
}

export type SignInResult =
  | { kind: 'signed_in'; accountId: string }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

interface Budget {
  throttle: Throttle;
  subject: string;
}

interface Candidate extends Record<string, unknown> {
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
 * Checks an e-mail address and password. Attempts count before they are checked, so that many at once gain
 * nothing, and an address without an account is counted and answered like one with. An address that nobody
 * proved may be claimed by several accounts; the newest of them signs in.
 */
export async function signIn(services: AccountServices, credentials: Credentials): Promise<SignInResult> {
  const email = normalizedEmail(credentials.email) ?? '';
  const candidates = await services.database.read<Candidate>(FIND, [email]);
  const owner = candidates.find((candidate) => !candidate.is_claim);
  // An account that only claims the address makes no known device: its holder must not gain guesses.
  const device = knownDevice(services, owner?.account_id, credentials.device);
  const budgets = budgetsOf(services, email, addressBlock(credentials.address), device);
  const retryAfterSeconds = await spend(budgets);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const claim = candidates.find((candidate) => candidate.is_claim);
  const account = await accountWith(credentials.password, owner, claim);
  if (account === undefined) return { kind: 'refused' };
  await restore(budgets);
  return { kind: 'signed_in', accountId: account.account_id };
}

/**
 * Of the account that has the address and the newest that claims it, the one that has the password. A refusal
 * takes two comparisons in every case: its time does not tell which of the two there are.
 */
async function accountWith(
  password: string,
  owner: Candidate | undefined,
  claim: Candidate | undefined,
): Promise<Candidate | undefined> {
  if (await isPassword(password, owner?.password_hash)) return owner;
  return (await isPassword(password, claim?.password_hash)) ? claim : undefined;
}

/** The narrowest first: an attempt refused there does not spend the wider ones. */
function budgetsOf(
  services: AccountServices,
  email: string,
  block: string,
  device: string | undefined,
): Budget[] {
  const budget = (rule: keyof typeof SIGN_IN_RULES, subject: string): Budget => ({
    throttle: new Throttle(services, SIGN_IN_RULES[rule]),
    subject,
  });
  if (device !== undefined) return [budget('device', `${email} ${device}`)];
  return [budget('account', `${email} ${block}`), budget('address', block), budget('everywhere', email)];
}

/** Seconds to wait when one of the budgets is spent, else 0. */
async function spend(budgets: readonly Budget[]): Promise<number> {
  for (const { throttle, subject } of budgets) {
    const retryAfterSeconds = await throttle.take(subject);
    if (retryAfterSeconds > 0) return retryAfterSeconds;
  }
  return 0;
}

/**
 * A right password resets the narrowest budget and gives the others back this attempt.
 */
async function restore([narrowest, ...wider]: readonly Budget[]): Promise<void> {
  await Promise.all([
    narrowest?.throttle.forget(narrowest.subject),
    ...wider.map(({ throttle, subject }) => throttle.giveBack(subject)),
  ]);
}
