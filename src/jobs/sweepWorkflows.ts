import type { Database } from '../database/Database.js';
import { firstIdAt } from '../domain/ids.js';
import { DAY_MS } from '../domain/timestamp.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';
import { KEPT_DAYS } from './webhooks/sweepDeliveries.js';

/** Workflows that one transaction removes. */
const BATCH = 1000;

/**
 * Removes a batch of each app's workflows that ended long ago. Failed ones stay while their work is still to
 * be done, as an operator can retry it. Nothing is left to do for webhooks, and for claims that were erased
 * with their customer.
 *
 * @returns whether there may be more
 */
export async function sweepWorkflows({
  database,
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<boolean> {
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  return forEachApp(database, (appId) => sweepApp(database, appId, before));
}

async function sweepApp(database: Database, appId: string, before: Date): Promise<boolean> {
  return database.transaction(appId, async (tx) => {
    const values = [appId, firstIdAt('wf', before), before, BATCH];
    const old = await tx.query<{ workflow_id: string }>(OLD, values);
    await tx.execute(REMOVE, [appId, old.map(({ workflow_id: id }) => id)]);
    return old.length === BATCH;
  });
}

// Ids sort by time, so the key finds the old ones. Skips those that are being retried. A separate statement:
// Citus does not lock rows in a statement that writes others. The subquery reads one customer by its key,
// where NOT EXISTS might read all of the app.
const OLD = `
  SELECT w.workflow_id FROM workflows w
   WHERE w.app_id = $1 AND w.workflow_id < $2 AND w.updated_at < $3
     AND (w.status = 'completed' OR w.status = 'failed' AND (w.type = 'webhook_delivery'
       OR w.type = 'profile_recompute' AND w.subject ->> 'customer_id' IS NOT NULL
         AND (SELECT h.customer_id FROM customer_heads h
               WHERE h.app_id = $1 AND h.customer_id = w.subject ->> 'customer_id') IS NULL))
   ORDER BY w.workflow_id LIMIT $4 FOR UPDATE OF w SKIP LOCKED`;

const REMOVE = 'DELETE FROM workflows WHERE app_id = $1 AND workflow_id = ANY ($2)';
