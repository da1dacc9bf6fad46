import { DAY_MS } from '../domain/timestamp.js';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';

/** Changes folded by one statement. */
const BATCH = 5000;

/** Longer than the longest window of the overview. */
const KEPT_DAYS = 95;

/**
 * Adds `tally_changes` up in `tallies`, hour by hour. A fold is one transaction, so readers see a change in
 * exactly one of the tables.
 *
 * @returns whether there may be more
 */
export async function foldTallies({ database }: Pick<Services, 'database'>): Promise<boolean> {
  return forEachApp(database, (appId) =>
    database.transaction(appId, async (tx) => {
      const sums = await tx.query<Sum>(TAKE_CHANGES, [appId]);
      await add(tx, sums);
      return sums.reduce((count, { changes }) => count + changes, 0) === BATCH;
    }),
  );
}

/** Removes hours beyond the longest window; their counts are kept as one sum. */
export async function compactTallies({
  database,
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<boolean> {
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  return forEachApp(database, (appId) =>
    database.transaction(appId, async (tx) => {
      await add(tx, await tx.query<Sum>(TAKE_HOURS, [appId, before]));
      return false;
    }),
  );
}

/** What to add to a row of `tallies`. */
interface Sum {
  measure: string;
  /** As PostgreSQL writes it. */
  hour: string;
  key: number;
  amount: number;
  changes: number;
}

/**
 * A separate statement: in one statement Citus would send the deleted rows to every node, even a lost one.
 * Rows are written in a fixed order, so that two nodes that fold at once cannot deadlock.
 */
async function add(tx: Transaction, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return;
  const column = (pick: (sum: Sum) => unknown): unknown[] => sums.map((sum) => pick(sum));
  await tx.execute(ADD, [
    tx.appId,
    column(({ measure }) => measure),
    column(({ hour }) => hour),
    column(({ key }) => key),
    column(({ amount }) => amount),
  ]);
}

// Facts have no history: only seventy sums of an app are kept.
const TAKE_CHANGES = `
  WITH next AS (
    SELECT change_id FROM tally_changes WHERE app_id = $1 ORDER BY change_id LIMIT ${BATCH}
      FOR UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM tally_changes c USING next WHERE c.app_id = $1 AND c.change_id = next.change_id
    RETURNING c.measure, c.key, c.amount, c.changed_at
  )
  SELECT measure, CASE WHEN measure = 'facts' THEN '-infinity'
           ELSE date_trunc('hour', changed_at, 'UTC') END::text AS hour,
         key, sum(amount)::bigint AS amount, count(*)::integer AS changes
    FROM taken GROUP BY 1, 2, 3`;

const TAKE_HOURS = `
  WITH taken AS (
    DELETE FROM tallies WHERE app_id = $1 AND hour < $2 AND hour > '-infinity' RETURNING measure, key, amount
  )
  SELECT measure, '-infinity' AS hour, key, sum(amount)::bigint AS amount, 0 AS changes
    FROM taken WHERE measure IN ('consent', 'customers') GROUP BY measure, key`;

const ADD = `
  INSERT INTO tallies AS t (app_id, measure, hour, key, amount)
  SELECT $1, measure, hour, key, amount
    FROM unnest($2::text[], $3::timestamptz[], $4::smallint[], $5::bigint[]) AS given (measure, hour, key, amount)
   ORDER BY measure, hour, key
  ON CONFLICT (app_id, measure, hour, key) DO UPDATE SET amount = t.amount + excluded.amount`;
