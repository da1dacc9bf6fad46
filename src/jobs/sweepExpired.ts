import type { Database } from '../database/Database.js';
import { sweepUnprovedAccounts } from './sweepUnprovedAccounts.js';

const BATCH = 1000;

/** Deletes at most $1 rows of what has served its time. Rows that another sweeper holds are left to it. */
const SWEEPS = [
  `DELETE FROM oauth_artifacts WHERE id_hash IN (
     SELECT id_hash FROM oauth_artifacts WHERE expires_at < now() - interval '1 minute'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  // A grant lives for a year, but one that no token hangs on any more cannot be used but to skip a
  // question.
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
  // Mails to be sent are given up by their worker; these were kept for the mailbox page.
  `DELETE FROM mails WHERE mail_id IN (
     SELECT mail_id FROM mails WHERE expires_at < now() AND sent_at IS NOT NULL LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM throttles WHERE key IN (
     SELECT key FROM throttles WHERE expire < extract(epoch FROM now()) * 1000 LIMIT $1
       FOR UPDATE SKIP LOCKED)`,
];

/**
 * Removes expired tokens, codes, sessions, abandoned grants, spent throttles and accounts that were never
 * used.
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
