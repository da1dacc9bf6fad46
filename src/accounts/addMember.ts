import { apps } from '../../entities/AppEntity.js';
import type { Database } from '../database/Database.js';
import type { Transaction } from '../database/Transaction.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { isScope } from '../domain/scopes.js';
import { ServiceError } from '../errors.js';

export interface Membership {
  appId: string;
  email: string;
  /** Absent: all scopes of the app. */
  scopes?: readonly string[];
}

/**
 * Makes an account a member of an app, or changes the member's scopes. A token never exceeds the app's own
 * scopes.
 *
 * @throws ServiceError when the app or account does not exist, a scope is unknown, or the account's address
 *   is not verified
 */
export async function addMember(
  database: Database,
  member: Membership,
  now: Date,
): Promise<{ scopes: string[] }> {
  requireScopeNames(member.scopes);
  return database.transaction(null, async (tx) => {
    const allowed = await appScopes(tx, member.appId);
    const scopes = [...new Set(member.scopes ?? allowed)];
    const accountId = await knownAccount(tx, member.email);
    await tx.query(
      `INSERT INTO app_members (app_id, account_id, scopes, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $4)
       ON CONFLICT (app_id, account_id) DO UPDATE SET scopes = excluded.scopes,
         updated_at = excluded.updated_at`,
      [member.appId, accountId, scopes, now],
    );
    return { scopes };
  });
}

/** @throws ServiceError when a scope is unknown */
export function requireScopeNames(scopes: readonly string[] = []): void {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new ServiceError('invalid_request', `There is no scope ${unknown}.`);
}

async function appScopes(tx: Transaction, appId: string): Promise<string[]> {
  const app = await apps.find(tx, ['allowed_scopes'], { app_id: appId });
  if (app === undefined) throw new ServiceError('not_found', `There is no app ${appId}.`);
  return app.allowed_scopes;
}

/** A sign-up does not prove the address, so an unverified account gets no rights. */
async function knownAccount(tx: Transaction, address: string): Promise<string> {
  const email = normalizedEmail(address) ?? '';
  const account = await tx.one<{ account_id: string; email_verified: boolean }>(
    'SELECT account_id, email_verified FROM accounts WHERE $1 IN (email, claimed_email) ORDER BY email_verified DESC LIMIT 1',
    [email],
  );
  if (account === undefined)
    throw new ServiceError(
      'not_found',
      `There is no account ${address}. Make it with npm run account:create.`,
    );
  if (account.email_verified) return account.account_id;
  throw new ServiceError(
    'conflict',
    `${address} signed up without proof that the address is theirs. npm run account:create takes the account over with a new password.`,
  );
}
