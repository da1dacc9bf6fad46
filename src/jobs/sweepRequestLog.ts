import { DAY_MS } from '../domain/timestamp.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';

const KEPT_DAYS = 7;

/** Maximum requests kept per app. */
const MAX_ENTRIES = 100_000;

/** Rows that one statement removes. */
const BATCH = 5000;

/**
 * Trims the request log: a week of each app is kept, at most a hundred thousand requests.
 *
 * @returns whether there may be more
 */
export async function sweepRequestLog(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  maxEntries = MAX_ENTRIES,
): Promise<boolean> {
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  return forEachApp(database, async (appId) => {
    const removed = await database.readAs(appId, REMOVE, [appId, before, maxEntries]);
    return removed.length === BATCH;
  });
}

const REMOVE = {
  name: 'request_log_sweep',
  text: `DELETE FROM request_log WHERE app_id = $1 AND entry_id IN (
           SELECT entry_id FROM request_log
            WHERE app_id = $1 AND (received_at < $2 OR entry_id <= (
              SELECT entry_id FROM request_log WHERE app_id = $1 ORDER BY entry_id DESC OFFSET $3 LIMIT 1))
            ORDER BY entry_id LIMIT ${BATCH})
         RETURNING entry_id`,
};
