import { accounts } from '../../entities/AccountEntity.js';
import { adoptClaim } from './adoptClaim.js';
import { expelStranger } from './expelStranger.js';
import { newId } from '../domain/ids.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { sqlState, UNIQUE_VIOLATION } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import type { AccountServices } from './AccountServices.js';
import type { Newcomer } from './signUp.js';

/** The identity that the upstream provider asserts. */
export interface UpstreamIdentity {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
}

/** The language and time zone of the visit; a new account gets them, and one with an unverified address. */
export type UpstreamNewcomer = Pick<Newcomer, 'locale' | 'timeZone'>;

/**
 * The account of an upstream identity; undefined when it has none and none can be created. The identity is
 * joined to an account with the same e-mail address only if the provider has verified that address. If the
 * account's address was unverified, its password, passkeys, sessions and settings are removed, because
 * another person may have made them.
 */
export async function findOrCreateUpstreamAccount(
  services: Pick<AccountServices, 'database' | 'clock'>,
  identity: UpstreamIdentity,
  newcomer: UpstreamNewcomer,
): Promise<string | undefined> {
  const findOrCreate = (): Promise<string | undefined> =>
    services.database.transaction(null, async (tx) => {
      const upstream = { upstream_issuer: identity.issuer, upstream_subject: identity.subject };
      const known = await accounts.find(tx, ['account_id'], upstream);
      if (known !== undefined) return known.account_id;
      const email = identity.emailVerified ? normalizedEmail(identity.email ?? '') : undefined;
      return email === undefined ? undefined : joinOrCreate(tx, identity, newcomer, email, services.clock());
    });
  return findOrCreate().catch((error: unknown) => {
    // The same person signed in at the same moment: now the account is there.
    if (sqlState(error) === UNIQUE_VIOLATION) return findOrCreate();
    throw error;
  });
}

async function joinOrCreate(
  tx: Transaction,
  { issuer, subject }: UpstreamIdentity,
  { locale, timeZone }: UpstreamNewcomer,
  email: string,
  now: Date,
): Promise<string | undefined> {
  await adoptClaim(tx, email, null);
  const unproved = await accounts.find(tx, ['account_id'], { email, email_verified: false }, 'FOR UPDATE');
  if (unproved !== undefined) await expelStranger(tx, unproved.account_id, { locale, time_zone: timeZone });
  const row = await tx.one<{ account_id: string }>(
    `INSERT INTO accounts AS a (account_id, email, email_verified, upstream_issuer, upstream_subject,
      locale, time_zone, created_at, updated_at)
     VALUES ($1, $2, true, $3, $4, $6, $7, $5, $5)
     ON CONFLICT (email) DO UPDATE SET
       email_verified = true, upstream_issuer = excluded.upstream_issuer,
       upstream_subject = excluded.upstream_subject,
       password_hash = CASE WHEN a.email_verified THEN a.password_hash END, updated_at = excluded.updated_at
     WHERE a.upstream_issuer IS NULL OR (a.upstream_issuer, a.upstream_subject) = ($3, $4)
     RETURNING account_id`,
    [newId('acc'), email, issuer, subject, now, locale, timeZone],
  );
  return row?.account_id;
}
