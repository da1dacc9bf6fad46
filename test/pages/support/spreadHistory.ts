import type { PagesHarness } from './PagesHarness.js';

const DAYS = 7;

/**
 * Moves what was counted within this hour over the last days, for pictures: a chart of one hour shows
 * nothing. Sums stay as they are; items of the same number fall into the same hour, so that what was applied
 * was accepted.
 */
export async function spreadHistory(harness: PagesHarness): Promise<void> {
  await harness.sql(
    `WITH counted AS (
       DELETE FROM tally_changes RETURNING app_id, measure, key, amount
     ), folded AS (
       DELETE FROM tallies WHERE hour > '-infinity' RETURNING app_id, measure, key, amount
     ), sums AS (
       SELECT app_id, measure, key, sum(amount)::integer AS amount
         FROM (SELECT * FROM counted UNION ALL SELECT * FROM folded) all_rows
        WHERE measure <> 'facts' GROUP BY 1, 2, 3 HAVING sum(amount) > 0
     ), facts AS (
       INSERT INTO tallies AS t (app_id, measure, hour, key, amount)
       SELECT app_id, measure, '-infinity', key, sum(amount) FROM counted WHERE measure = 'facts' GROUP BY 1, 2, 4
       ON CONFLICT (app_id, measure, hour, key) DO UPDATE SET amount = t.amount + excluded.amount
     )
     INSERT INTO tallies AS t (app_id, measure, hour, key, amount)
     SELECT app_id, measure, date_trunc('hour', now() - interval '${DAYS} days' * place, 'UTC'), key, count(*)
       FROM sums, LATERAL generate_series(1, amount) AS number,
            LATERAL (SELECT (number * 0.618034) % 0.96 AS place) spread
      GROUP BY 1, 2, 3, 4
     ON CONFLICT (app_id, measure, hour, key) DO UPDATE SET amount = t.amount + excluded.amount`,
  );
}
