import { DAY_MS } from '../../domain/timestamp.js';
import type { Database } from '../../database/Database.js';
import { enqueue } from '../../database/workQueue.js';
import { forEachApp } from '../forEachApp.js';

/** How long an ended delivery can be listed and sent again, and an ended workflow polled. */
export const KEPT_DAYS = 30;

/** Deliveries that one transaction removes. */
const BATCH = 1000;

/**
 * Removes a batch of expired data of each app: deliveries with their attempts and workflows, and secrets of
 * finished rotations. Has the worker remove deliveries that wait for an endpoint that is gone.
 *
 * @returns whether there may be more
 */
export async function sweepDeliveries(database: Database, now: Date): Promise<boolean> {
  return forEachApp(database, (appId) => sweepApp(database, appId, now));
}

async function sweepApp(database: Database, appId: string, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  return database.transaction(appId, async (tx) => {
    await tx.execute(FORGET_SECRETS, [appId, now]);
    const left = await tx.query<{ endpoint_id: string }>(LEFT_BEHIND, [appId]);
    const gone = left.map(({ endpoint_id: id }) => id);
    enqueue(tx, 'delivery', gone, now);
    const old = await tx.query<Old>(OLD, [appId, before, BATCH]);
    const deliveries = old.map(({ delivery_id: id }) => id);
    await tx.execute(REMOVE, [appId, deliveries, old.map(({ workflow_id: id }) => id)]);
    return old.length === BATCH;
  });
}

const FORGET_SECRETS = `
  UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_expires_at = NULL
   WHERE app_id = $1 AND previous_secret_expires_at <= $2`;

// A version before migration 071 leaves the deliveries of an endpoint to a cascade that there no longer is.
// Ended ones expire like all others.
const LEFT_BEHIND = `
  SELECT DISTINCT d.endpoint_id FROM webhook_deliveries d
   WHERE d.app_id = $1 AND d.status = 'pending' AND NOT EXISTS (
     SELECT FROM webhook_endpoints e WHERE e.app_id = $1 AND e.endpoint_id = d.endpoint_id)`;

interface Old {
  delivery_id: string;
  workflow_id: string | null;
}

// Skips deliveries that are being asked for again. A separate statement: Citus does not lock rows in a
// statement that writes others.
const OLD = `
  SELECT delivery_id, workflow_id FROM webhook_deliveries
   WHERE app_id = $1 AND status <> 'pending' AND updated_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED`;

const REMOVE = `
  WITH followed AS (
    DELETE FROM workflows WHERE app_id = $1 AND workflow_id = ANY ($3) AND type = 'webhook_delivery'
  )
  DELETE FROM webhook_deliveries WHERE app_id = $1 AND delivery_id = ANY ($2)`;
