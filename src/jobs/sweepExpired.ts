import type { Database } from '../database/Database.js';
import { sweepUnprovedAccounts } from './sweepUnprovedAccounts.js';

const BATCH = 1000;

/** Each deletes at most $1 expired rows and skips rows that another sweeper has locked. */
const SWEEPS = [
  `DELETE FROM oauth_artifacts WHERE id_hash IN (
     SELECT id_hash FROM oauth_artifacts WHERE expires_at < now() - interval '1 minute'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  // A grant lives for a year. Without tokens its only use is to skip a question.
  `DELETE FROM oauth_artifacts WHERE id_hash IN (
     SELECT g.id_hash FROM oauth_artifacts g
      WHERE g.kind = 'Grant' AND g.issued_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM oauth_artifacts t WHERE t.grant_hash = g.id_hash)
      LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM account_sessions WHERE token_hash IN (
     SELECT token_hash FROM account_sessions WHERE expires_at < now() LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM graphiql_sessions WHERE token_hash IN (
     SELECT token_hash FROM graphiql_sessions WHERE expires_at < now() LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM account_tokens WHERE token_hash IN (
     SELECT token_hash FROM account_tokens WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  // Only mails kept for the mailbox page: the mail worker gives up expired unsent mails.
  `DELETE FROM mails WHERE mail_id IN (
     SELECT mail_id FROM mails WHERE expires_at < now() AND sent_at IS NOT NULL LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM throttles WHERE key IN (
     SELECT key FROM throttles WHERE expire < extract(epoch FROM now()) * 1000 LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
];

/**
 * Removes expired tokens, codes, sessions, abandoned grants, spent throttles and unused accounts.
 *
 * @returns whether there may be more, so that the sweeper comes back soon
 */
export async function sweepExpired(
  database: Pick<Database, 'query' | 'isDistributed'>,
  batch = BATCH,
): Promise<boolean> {
  let more = false;
  for (const sweep of SWEEPS) {
    const swept = await database.query(`${sweep} RETURNING 1`, [batch]);
    more ||= swept.length === batch;
  }
  return (await sweepUnprovedAccounts(database, batch)) || more;
}
