import type { Database } from '../database/Database.js';

/**
 * Deletes unused accounts whose address was not proved within a week. Their owners can sign up again.
 *
 * @returns whether there may be more
 */
export async function sweepUnprovedAccounts(
  database: Pick<Database, 'query' | 'isDistributed'>,
  batch: number,
): Promise<boolean> {
  if (await database.isDistributed()) return sweepSpread(database, batch);
  const swept = await database.query(`${SWEEP} RETURNING 1`, [batch]);
  return swept.length === batch;
}

/**
 * Citus cannot join a reference table with a distributed and a local one, so links are read separately.
 * Whoever links an account between that and its deletion, a week after signing up, must sign up again too.
 */
async function sweepSpread(database: Pick<Database, 'query'>, batch: number): Promise<boolean> {
  for (let after = ''; ;) {
    const old = await database.query<Account>(OLD, [batch, after]);
    const ids = old.map(({ account_id: id }) => id);
    const linked = await database.query<Account>(LINKED, [ids]);
    const kept = new Set(linked.map(({ account_id: id }) => id));
    await database.query(DELETE, [ids.filter((id) => !kept.has(id))]);
    if (ids.length < batch) return false;
    after = ids.at(-1) ?? '';
  }
}

type Account = Record<'account_id', string>;

const UNUSED = `claimed_email IS NOT NULL AND created_at < now() - interval '7 days'
                AND NOT EXISTS (SELECT FROM app_members m WHERE m.account_id = a.account_id)
                AND NOT EXISTS (SELECT FROM account_erasures e WHERE e.account_id = a.account_id)`;

const SWEEP = `DELETE FROM accounts WHERE account_id IN (
             SELECT account_id FROM accounts a
              WHERE ${UNUSED}
                AND NOT EXISTS (SELECT FROM account_links l WHERE l.account_id = a.account_id)
              LIMIT $1 FOR UPDATE SKIP LOCKED)`;

const OLD = `SELECT account_id FROM accounts a WHERE ${UNUSED} AND account_id > $2 ORDER BY account_id LIMIT $1`;

const LINKED = 'SELECT account_id FROM account_links WHERE account_id = ANY ($1::text[])';

const DELETE = 'DELETE FROM accounts WHERE account_id = ANY ($1::text[]) AND claimed_email IS NOT NULL';
