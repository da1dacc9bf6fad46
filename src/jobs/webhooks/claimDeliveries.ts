import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { signalWork } from '../../database/workSignal.js';
import { concurrencyFor, pausedUntil } from '../../domain/webhooks/endpointHealth.js';
import type { DeliveryGateRow } from '../../access/consentGate.js';
import { DELIVERY_GATE_COLUMNS, DELIVERY_GATE_TABLES, deliveryVerdict } from '../../access/consentGate.js';
import { dropDelivery } from '../../commands/finishDelivery.js';
import { healthOf } from '../../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../../entities/WebhookEndpointEntity.js';

/**
 * How long a worker may hold a delivery: the 15 s of an attempt and as much again to record it. The
 * deliveries of a worker that was killed are taken up by another after this time.
 */
export const LEASE_SECONDS = 30;

/** A delivery that this worker may attempt now, and no other until the lease ends. */
export interface ClaimedDelivery {
  appId: string;
  endpointId: string;
  deliveryId: string;
  /** Whom the message is about. */
  customerId: string | null;
  url: string;
  lease: string;
  sequence: number;
}

/**
 * That the delivery `d` is pending under the lease `$3`, in statements that name it by its key. It is spelled
 * so that the partial indexes of pending and of leased deliveries do not answer for it: a plan that was made
 * while the table was empty would search one of them whole, however many deliveries wait.
 */
export const HELD = `d.lease IS NOT DISTINCT FROM $3 AND d.status NOT IN ('delivered', 'failed', 'dropped')`;

interface DueRow extends DeliveryGateRow {
  delivery_id: string;
  sequence: number | null;
  workflow_id: string | null;
}

/**
 * Takes due deliveries of one endpoint, as many as its health allows over all workers, in the order of their
 * changes, and numbers those that are attempted for the first time. What consent no longer allows is dropped
 * without a number.
 */
export async function claimDeliveries(
  database: Database,
  appId: string,
  endpointId: string,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const claim = async (tx: Transaction): Promise<ClaimedDelivery[]> => {
    // The row of work is locked before deliveries are read: whoever adds one later waits here and wakes the
    // endpoint again. Its answer is waited for: without the row, nobody should wait for the endpoint's.
    const work = await tx.one(LOCK_WORK, [appId, endpointId]);
    if (work === undefined) return [];
    const endpoint = await tx.one<ClaimingEndpoint>(LOCK_ENDPOINT, [appId, endpointId, now]);
    const { claimed, full } = endpoint?.status === 'active' ? await takeDue(tx, endpoint, now) : NOTHING;
    scheduleNextLook(tx, { appId, endpointId, endpoint, full }, now);
    return claimed;
  };
  return database.transaction(appId, claim, { byKeys: true });
}

interface Taken {
  claimed: ClaimedDelivery[];
  /** Whether all attempts that the endpoint may have at once are running now. */
  full: boolean;
}

const NOTHING: Taken = { claimed: [], full: false };

/** An endpoint with the number of its attempts that run now. */
interface ClaimingEndpoint extends EndpointRow, Record<string, unknown> {
  running: number;
}

async function takeDue(tx: Transaction, endpoint: ClaimingEndpoint, now: Date): Promise<Taken> {
  const { app_id: appId, endpoint_id: endpointId } = endpoint;
  if (pausedUntil(healthOf(endpoint), now) !== null) return NOTHING;
  const free = concurrencyFor(healthOf(endpoint)) - endpoint.running;
  if (free <= 0) return { claimed: [], full: true };
  const due = await tx.query<DueRow>(DUE, [appId, endpointId, now, free]);
  const sendable: DueRow[] = [];
  for (const row of due) {
    const verdict = deliveryVerdict(row);
    if (verdict.allowed) sendable.push(row);
    else dropDelivery(tx, appId, row.delivery_id, verdict.reason, now);
  }
  // What was dropped made room at once.
  if (sendable.length < due.length) tx.afterCommit(() => signalWork('delivery'));
  return { claimed: lease(tx, endpoint, sendable, now), full: sendable.length === free };
}

function lease(
  tx: Transaction,
  endpoint: EndpointRow,
  rows: readonly DueRow[],
  now: Date,
): ClaimedDelivery[] {
  if (rows.length === 0) return [];
  const { app_id: appId, endpoint_id: endpointId, url } = endpoint;
  let last = endpoint.last_sequence;
  const claimed = rows.map((row) => {
    const sequence = row.sequence ?? (last += 1);
    const { delivery_id: deliveryId, customer_id: customerId } = row;
    return { appId, endpointId, url, deliveryId, customerId, lease: randomUUID(), sequence };
  });
  const leaseEnd = new Date(now.getTime() + LEASE_SECONDS * 1000);
  const column = (pick: (claim: ClaimedDelivery) => unknown): unknown[] =>
    claimed.map((claim) => pick(claim));
  const rowsOf = [column((c) => c.deliveryId), column((c) => c.lease), column((c) => c.sequence)];
  tx.send(LEASE, [appId, ...rowsOf, leaseEnd, now, endpointId, last]);
  return claimed;
}

interface Look {
  appId: string;
  endpointId: string;
  endpoint: EndpointRow | undefined;
  full: boolean;
}

/**
 * Says when this endpoint needs a look again: when something falls due or a pause ends; when all slots are in
 * use, at the end of the earliest lease, for whichever attempt ends before wakes the endpoint. Never, when
 * nothing is pending.
 */
function scheduleNextLook(tx: Transaction, { appId, endpointId, endpoint, full }: Look, now: Date): void {
  const active = endpoint?.status === 'active';
  const pause = endpoint === undefined ? null : pausedUntil(healthOf(endpoint), now);
  tx.send(SCHEDULE, [appId, endpointId, now, active, full, pause]);
}

const LOCK_WORK = `
  SELECT subject FROM work_queue WHERE app_id = $1 AND queue = 'delivery' AND subject = $2
    FOR UPDATE SKIP LOCKED`;

// Claims of one endpoint follow one another by the row of work, so the count can only be too high: an attempt
// that ends meanwhile wakes the endpoint again.
const LOCK_ENDPOINT = `
  SELECT e.*, (SELECT count(*) FROM webhook_deliveries d
                WHERE d.app_id = $1 AND d.endpoint_id = $2 AND d.lease IS NOT NULL
                  AND d.next_attempt_at > $3) AS running
    FROM webhook_endpoints e WHERE e.app_id = $1 AND e.endpoint_id = $2 FOR NO KEY UPDATE OF e`;

// The same statement, so the same snapshot, reads the deliveries and the consent that allows them.
const DUE = `
  SELECT d.delivery_id, d.sequence, d.workflow_id, ${DELIVERY_GATE_COLUMNS}
    FROM ${DELIVERY_GATE_TABLES}
   WHERE d.app_id = $1 AND d.endpoint_id = $2 AND d.status = 'pending' AND d.next_attempt_at <= $3
   ORDER BY d.next_attempt_at, d.position LIMIT $4`;

// A lease moves the due time to its own end: when the worker dies, the delivery falls due again by itself.
// Deliveries and workflows are named in arrays, and the status is spelled, so that they are found by their
// keys, not among all that wait or are open. Nothing is set to a bare element of an array: deparsing that
// ends the whole server where Citus (13.2.2) does it.
const LEASE = `
  WITH taken AS (
    UPDATE webhook_deliveries d SET lease = ($3::text[])[array_position($2, d.delivery_id)] || '',
      sequence = ($4::bigint[])[array_position($2, d.delivery_id)] + 0, next_attempt_at = $5, updated_at = $6
     WHERE d.app_id = $1 AND d.delivery_id = ANY ($2::text[])
    RETURNING d.workflow_id
  ), numbered AS (
    UPDATE webhook_endpoints SET last_sequence = $8 WHERE app_id = $1 AND endpoint_id = $7
      AND last_sequence < $8
  )
  UPDATE workflows w SET status = 'running', updated_at = $6
   WHERE w.app_id = $1 AND w.workflow_id = ANY (ARRAY (SELECT workflow_id FROM taken))
     AND w.status NOT IN ('running', 'completed', 'failed')`;

const SCHEDULE = `
  WITH next AS (
    SELECT (SELECT min(next_attempt_at) FROM webhook_deliveries
             WHERE app_id = $1 AND endpoint_id = $2 AND status = 'pending' AND $4) AS due_at,
           (SELECT min(next_attempt_at) FROM webhook_deliveries
             WHERE app_id = $1 AND endpoint_id = $2 AND lease IS NOT NULL
               AND next_attempt_at > $3) AS lease_ends_at
  ), done AS (
    DELETE FROM work_queue USING next
     WHERE app_id = $1 AND queue = 'delivery' AND subject = $2 AND next.due_at IS NULL
  )
  UPDATE work_queue SET ready_at = coalesce($6, CASE WHEN $5 THEN lease_ends_at END, due_at)
    FROM next WHERE app_id = $1 AND queue = 'delivery' AND subject = $2 AND due_at IS NOT NULL`;
