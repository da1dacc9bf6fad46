import { accounts } from '../../entities/AccountEntity.js';
import { sqlState, UNIQUE_VIOLATION } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import { hashSecretToken } from '../domain/secretToken.js';
import { spendAll, Throttle } from './Throttle.js';
import type { AccountServices } from './AccountServices.js';
import type { ChangingSession } from './changeAccount.js';
import { changeAccount } from './changeAccount.js';
import { queueMail } from '../mail/queueMail.js';
import { localeNamed } from '../texts/locale.js';
import { codeDigests } from './addressProof.js';
import { adoptClaim } from './adoptClaim.js';

const CODE_RULE = { name: 'address_code', most: 10, windowSeconds: 3600 } as const;

/** Per address, over all accounts that claim it: many accounts must not guess its codes. */
const ADDRESS_RULE = { name: 'address_code_everywhere', most: 50, windowSeconds: 24 * 3600 } as const;

/** The secret of the mailed link, or the code. */
export type AddressProof = { token: string } | { code: string };

export type ProveResult =
  | { kind: 'proved'; returnTo: string }
  /** The proof is wrong, used, replaced or expired, or another account has the address by now. */
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

interface ProofRow {
  kind: string;
  data: { email: string; return_to: string };
}

/** Uses up the proof of an account's current or new address. A change is mailed to the previous address. */
export async function proveAddress(
  services: AccountServices,
  session: ChangingSession,
  proof: AddressProof,
): Promise<ProveResult> {
  return 'token' in proof
    ? prove(services, session, [hashSecretToken(proof.token)])
    : proveByCode(services, session, proof.code);
}

async function proveByCode(
  services: AccountServices,
  session: ChangingSession,
  code: string,
): Promise<ProveResult> {
  const { accountId } = session;
  const throttle = new Throttle(services, CODE_RULE);
  const retryAfterSeconds = await throttle.take(accountId);
  if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
  const known = codeDigests(services.secrets, accountId, code);
  const wanted = await services.database.read<Wanted>(WANTED, [accountId, known]);
  // A guess counts for every address that it might prove.
  const emails = [...new Set(wanted.map(({ email }) => email))];
  const budgets = emails.map((subject) => ({ rule: ADDRESS_RULE, subject }));
  const waitForAddress = await spendAll(services, budgets);
  if (waitForAddress > 0) return { kind: 'throttled', retryAfterSeconds: waitForAddress };
  const right = wanted.flatMap(({ token_hash: hash, is_right: isRight }) => (isRight ? [hash] : []));
  const result = await prove(services, session, right);
  if (result.kind === 'proved') {
    await throttle.forget(accountId);
    for (const { rule, subject } of budgets) await new Throttle(services, rule).giveBack(subject);
  }
  return result;
}

interface Wanted {
  token_hash: string;
  email: string;
  is_right: boolean;
}

const WANTED = {
  name: 'addresses_to_prove',
  text: `SELECT token_hash, data ->> 'email' AS email, data ->> 'code' = ANY ($2) AS is_right
           FROM account_tokens WHERE account_id = $1 AND kind IN ('verify_address', 'change_address')`,
};

async function prove(
  services: AccountServices,
  session: ChangingSession,
  tokenHashes: readonly string[],
): Promise<Exclude<ProveResult, { kind: 'throttled' }>> {
  const { accountId } = session;
  try {
    return await changeAccount(services, session, async (tx) => {
      const spent = await spend(tx, services.clock(), accountId, tokenHashes);
      if (spent === undefined) return { kind: 'refused' };
      const isSet =
        spent.kind === 'change_address'
          ? await changeAddress(tx, services, accountId, spent.data.email)
          : await confirmAddress(tx, services, accountId, spent.data.email);
      return isSet ? { kind: 'proved', returnTo: spent.data.return_to } : { kind: 'refused' };
    });
  } catch (error) {
    // Another account proved the same address at the same time.
    if (sqlState(error) === UNIQUE_VIOLATION) return { kind: 'refused' };
    throw error;
  }
}

function spend(
  tx: Transaction,
  now: Date,
  accountId: string,
  tokenHashes: readonly string[],
): Promise<ProofRow | undefined> {
  return tx.one<ProofRow>(
    `DELETE FROM account_tokens
      WHERE account_id = $1 AND token_hash = ANY ($2) AND kind IN ('verify_address', 'change_address')
        AND expires_at > $3
     RETURNING kind, data`,
    [accountId, tokenHashes, now],
  );
}

async function confirmAddress(
  tx: Transaction,
  { clock }: AccountServices,
  accountId: string,
  email: string,
): Promise<boolean> {
  await adoptClaim(tx, email, accountId);
  const proved = { email_verified: true, updated_at: clock() };
  return (await accounts.update(tx, { account_id: accountId, email }, proved)) === 1;
}

async function changeAddress(
  tx: Transaction,
  services: AccountServices,
  accountId: string,
  email: string,
): Promise<boolean> {
  const wanted = ['email', 'email_verified', 'locale'] as const;
  const former = await accounts.find(tx, wanted, { account_id: accountId });
  if (former === undefined) return false;
  const changed = await tx.execute(
    `UPDATE accounts SET email = $2, claimed_email = NULL, email_verified = true, updated_at = $3
      WHERE account_id = $1 AND NOT EXISTS (SELECT FROM accounts WHERE email = $2 AND account_id <> $1)`,
    [accountId, email, services.clock()],
  );
  if (changed !== 1) return false;
  // An unverified address may belong to another person, so it gets no mail.
  if (!former.email_verified) return true;
  const locale = localeNamed(former.locale);
  await queueMail(tx, services, { kind: 'address_changed', to: former.email, locale, data: {} });
  return true;
}
