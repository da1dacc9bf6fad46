import { accounts } from '../../entities/AccountEntity.js';
import { adoptClaim } from './adoptClaim.js';
import { endAccess } from './endAccess.js';
import { expelStranger } from './expelStranger.js';
import type { Database } from '../database/Database.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { PASSWORD_LENGTH, passwordProblem } from '../domain/passwordProblem.js';
import { ServiceError } from '../errors.js';
import { hashPassword } from './passwordHash.js';

export interface NewAccount {
  email: string;
  password: string;
  /** Sets a new password on an existing account and ends its sessions and tokens. */
  resetPassword?: boolean;
}

/**
 * Creates an account whose address the operator vouches for. An unverified account with this address keeps
 * its connections and loses its password, passkeys, sessions and settings.
 *
 * @throws ServiceError when the e-mail address or password is invalid, or the account already exists
 */
export async function createAccount(
  database: Database,
  account: NewAccount,
  now: Date,
): Promise<{ accountId: string }> {
  const email = normalizedEmail(account.email);
  if (email === undefined)
    throw new ServiceError('invalid_request', `${account.email} is not an e-mail address.`);
  refuseBadPassword(account.password, email);
  const passwordHash = await hashPassword(account.password);
  return database.transaction(null, async (tx) => {
    await adoptClaim(tx, email, null);
    const kept = await accounts.find(tx, ['account_id', 'email_verified'], { email }, 'FOR UPDATE');
    if (kept?.email_verified === true && account.resetPassword !== true) {
      throw new ServiceError(
        'conflict',
        `There is an account ${email} already. Give it a new password with --reset-password.`,
      );
    }
    const accountId = kept?.account_id ?? newId('acc');
    const proved = { email_verified: true, password_hash: passwordHash, updated_at: now };
    if (kept === undefined)
      await accounts.insert(tx, { account_id: accountId, email, ...proved, created_at: now });
    else {
      await accounts.update(tx, { account_id: accountId }, proved);
      if (kept.email_verified) await endAccess(tx, accountId, { passkeys: true });
      else await expelStranger(tx, accountId);
    }
    return { accountId };
  });
}

function refuseBadPassword(password: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem === 'password_known')
    throw new ServiceError(
      'invalid_request',
      'This password is one that guessers try first. Choose another.',
    );
  if (problem !== undefined) {
    throw new ServiceError(
      'invalid_request',
      `The password must have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters.`,
    );
  }
}
