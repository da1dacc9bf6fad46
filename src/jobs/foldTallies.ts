import type { Row } from '../database/Database.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';

/** Changes folded by one statement. */
const BATCH = 5000;

/** Longer than the longest window of the overview. */
const KEPT_DAYS = 95;

/**
 * Adds `tally_changes` up into `tallies`, hour by hour. Who reads sees a change in exactly one of them: a
 * fold is one statement.
 *
 * @returns whether there may be more
 */
export async function foldTallies({ database }: Pick<Services, 'database'>): Promise<boolean> {
  return forEachApp(database, async (appId) => {
    const [folded] = await database.readAs<Row & { changes: number }>(appId, FOLD, [appId]);
    return (folded?.changes ?? 0) === BATCH;
  });
}

/** Lets go of hours beyond the longest window; what is counted up to now is kept as one sum. */
export async function compactTallies({
  database,
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<boolean> {
  const before = new Date(clock().getTime() - KEPT_DAYS * 86_400_000);
  return forEachApp(database, async (appId) => {
    await database.readAs(appId, COMPACT, [appId, before]);
    return false;
  });
}

// Facts have no history: seventy sums of an app are all that is kept of them. Rows are written in one order,
// so that two nodes that fold at once cannot wait for each other in a circle.
const FOLD = {
  name: 'fold_tallies',
  text: `WITH next AS (
           SELECT change_id FROM tally_changes WHERE app_id = $1 ORDER BY change_id LIMIT ${BATCH}
             FOR UPDATE SKIP LOCKED
         ), taken AS (
           DELETE FROM tally_changes c USING next WHERE c.app_id = $1 AND c.change_id = next.change_id
           RETURNING c.measure, c.key, c.amount, c.changed_at
         ), added AS (
           INSERT INTO tallies AS t (app_id, measure, hour, key, amount)
           SELECT $1, measure, CASE WHEN measure = 'facts' THEN '-infinity'
             ELSE date_trunc('hour', changed_at, 'UTC') END, key, sum(amount)
             FROM taken GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
           ON CONFLICT (app_id, measure, hour, key) DO UPDATE SET amount = t.amount + excluded.amount
         )
         SELECT count(*) AS changes FROM taken`,
};

const COMPACT = {
  name: 'compact_tallies',
  text: `WITH old AS (
           DELETE FROM tallies WHERE app_id = $1 AND hour < $2 AND hour > '-infinity' RETURNING measure, key,
             amount
         )
         INSERT INTO tallies AS t (app_id, measure, hour, key, amount)
         SELECT $1, measure, '-infinity', key, sum(amount) FROM old WHERE measure IN ('consent', 'customers')
           GROUP BY 2, 4 ORDER BY 2, 4
         ON CONFLICT (app_id, measure, hour, key) DO UPDATE SET amount = t.amount + excluded.amount`,
};
