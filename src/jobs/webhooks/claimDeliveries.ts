import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { signalWork } from '../../database/workSignal.js';
import { MAX_CONCURRENT, concurrencyFor, pausedUntil } from '../../domain/webhooks/endpointHealth.js';
import type { DeliveryGateRow } from '../../access/consentGate.js';
import { DELIVERY_GATE_COLUMNS, DELIVERY_GATE_JOINS, deliveryVerdict } from '../../access/consentGate.js';
import { dropDelivery, endPending, ENDED_AT_ONCE } from '../../commands/finishDelivery.js';
import { healthOf, webhookEndpoints } from '../../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../../entities/WebhookEndpointEntity.js';

/**
 * How long a worker may hold a delivery: the 15 s of an attempt and as much again to record it. Then another
 * worker takes over the deliveries of a killed one.
 */
const LEASE_SECONDS = 30;

/** A delivery that only this worker may attempt until the lease ends. */
export interface ClaimedDelivery {
  appId: string;
  endpointId: string;
  deliveryId: string;
  /** The customer of the message. */
  customerId: string | null;
  url: string;
  lease: string;
  sequence: number;
}

/**
 * Whether the delivery `d` is pending under its lease: `$3` has the leases of the deliveries `$2`. It is
 * spelled so that the partial indexes of pending and leased deliveries do not match: a plan made while the
 * table was empty would scan one of them whole, however many deliveries wait.
 */
export const HELD = `d.lease IS NOT DISTINCT FROM ($3::text[])[array_position($2::text[], d.delivery_id)]
   AND d.status NOT IN ('delivered', 'failed', 'dropped')`;

interface DueRow extends DeliveryGateRow {
  delivery_id: string;
  endpoint_id: string;
  sequence: number | null;
  /** Its place among the app's changes. */
  position: number;
}

/**
 * Claims due deliveries of an app's endpoints in the order of their changes, for each endpoint as many as its
 * health allows over all workers. Numbers first attempts. Deliveries that consent no longer allows are
 * dropped without a number.
 */
export async function claimDeliveries(
  database: Database,
  appId: string,
  endpointIds: readonly string[],
  now: Date,
  room = Infinity,
): Promise<ClaimedDelivery[]> {
  if (room === 0) return [];
  const claim = async (tx: Transaction): Promise<ClaimedDelivery[]> => {
    // The rows of work are locked before deliveries are read: whoever adds a delivery later waits here and
    // wakes the endpoint again. This waits for the answer: without a row of work, nobody should wait for the
    // endpoint's lock.
    const work = await tx.query<{ subject: string }>(LOCK_WORK, [appId, endpointIds]);
    if (work.length === 0) return [];
    const ids = work.map(({ subject }) => subject);
    return takeDue(tx, { ids, endpoints: await lockEndpoints(tx, ids), room }, now);
  };
  return database.transaction(appId, claim, { byKeys: true });
}

/** Locks in the order of ids, so that two transactions cannot deadlock. */
export function lockEndpoints(tx: Transaction, ids: readonly string[]): Promise<EndpointRow[]> {
  return tx.query<EndpointRow>(LOCK_ENDPOINTS, [tx.appId, ids]);
}

/** Endpoints that are locked with their rows of work. A deleted one has only an id. */
export interface LockedEndpoints {
  ids: readonly string[];
  endpoints: readonly EndpointRow[];
}

/**
 * Claims due deliveries of locked endpoints and schedules their next claims. What was dispatched to an
 * endpoint while it was being disabled ends here, and what was left of a deleted one.
 *
 * @param room about how many; each endpoint has an equal share
 */
export async function takeDue(
  tx: Transaction,
  { ids, endpoints, room }: LockedEndpoints & { room: number },
  now: Date,
): Promise<ClaimedDelivery[]> {
  const ready = endpoints.filter(
    (endpoint) => endpoint.status === 'active' && pausedUntil(healthOf(endpoint), now) === null,
  );
  const unfinished = await endLeftovers(tx, { ids, endpoints }, now);
  const due = ready.length === 0 ? [] : await readDue(tx, ready, { now, room });
  const sendable: DueRow[] = [];
  for (const row of due) {
    const verdict = deliveryVerdict(row);
    if (verdict.allowed) sendable.push(row);
    else dropDelivery(tx, row.delivery_id, verdict.reason, now);
  }
  // Dropped deliveries freed slots.
  if (sendable.length < due.length) tx.afterCommit(() => signalWork('delivery'));
  const claimed = lease(tx, ready, sendable, now);
  scheduleNextLooks(tx, { ids, endpoints, unfinished }, now);
  return claimed;
}

/**
 * Ends some of what waits for disabled endpoints, and removes some deliveries of deleted ones.
 *
 * @returns the endpoints of which more may be left
 */
async function endLeftovers(
  tx: Transaction,
  { ids, endpoints }: LockedEndpoints,
  now: Date,
): Promise<ReadonlySet<string>> {
  const unfinished = new Set<string>();
  for (const { status, endpoint_id: id } of endpoints)
    if (status === 'disabled' && (await endPending(tx, id, now))) unfinished.add(id);
  const known = new Set(endpoints.map((endpoint) => endpoint.endpoint_id));
  for (const id of ids)
    if (!known.has(id) && (await tx.execute(REMOVE, [tx.appId, id])) === ENDED_AT_ONCE) unfinished.add(id);
  if (unfinished.size > 0) tx.afterCommit(() => signalWork('delivery'));
  return unfinished;
}

function readDue(
  tx: Transaction,
  endpoints: readonly EndpointRow[],
  { now, room }: { now: Date; room: number },
): Promise<DueRow[]> {
  const ids = endpoints.map((endpoint) => endpoint.endpoint_id);
  const share = Math.min(MAX_CONCURRENT, Math.ceil(room / ids.length));
  return tx.query<DueRow>(DUE, [tx.appId, ids, now, endpoints.map(mayRun), share]);
}

function mayRun(endpoint: EndpointRow): number {
  return concurrencyFor(healthOf(endpoint));
}

function lease(
  tx: Transaction,
  endpoints: readonly EndpointRow[],
  rows: readonly DueRow[],
  now: Date,
): ClaimedDelivery[] {
  if (rows.length === 0) return [];
  const targets = new Map(endpoints.map((row) => [row.endpoint_id, { row, last: row.last_sequence }]));
  // Numbers follow the changes, whichever worker's clock set when their deliveries fall due.
  const numbers = new Map<string, number>();
  for (const due of rows.toSorted((a, b) => a.position - b.position)) {
    const target = targets.get(due.endpoint_id);
    if (target !== undefined) numbers.set(due.delivery_id, due.sequence ?? (target.last += 1));
  }
  const claimed = rows.flatMap((due) => {
    const { delivery_id: deliveryId, customer_id: customerId } = due;
    const [target, sequence] = [targets.get(due.endpoint_id), numbers.get(deliveryId)];
    if (target === undefined || sequence === undefined) return [];
    const { app_id: appId, endpoint_id: endpointId, url } = target.row;
    return [{ appId, endpointId, url, deliveryId, customerId, lease: randomUUID(), sequence }];
  });
  const leaseEnd = new Date(now.getTime() + LEASE_SECONDS * 1000);
  const column = (pick: (claim: ClaimedDelivery) => unknown): unknown[] =>
    claimed.map((claim) => pick(claim));
  const rowsOf = [column((c) => c.deliveryId), column((c) => c.lease), column((c) => c.sequence)];
  const lasts = [...targets.values()].map(({ last }) => last);
  tx.send(LEASE, [tx.appId, ...rowsOf, leaseEnd, now, [...targets.keys()], lasts]);
  return claimed;
}

/**
 * Schedules the next claim of endpoints: when a delivery falls due or a pause ends. If all slots are in use,
 * it is at the end of the earliest lease; an attempt that ends earlier wakes the endpoint. The same holds for
 * what is under way to a disabled one. It is now where ending is unfinished. Without pending deliveries there
 * is none.
 */
function scheduleNextLooks(
  tx: Transaction,
  { ids, endpoints, unfinished }: LockedEndpoints & { unfinished: ReadonlySet<string> },
  now: Date,
): void {
  const known = new Map(endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  const looks = ids.map((id) => {
    const endpoint = known.get(id);
    if (endpoint?.status !== 'active') return { most: null, pause: null };
    return { most: mayRun(endpoint), pause: pausedUntil(healthOf(endpoint), now) };
  });
  const most = looks.map((look) => look.most);
  const again = ids.map((id) => unfinished.has(id));
  tx.send(SCHEDULE, [tx.appId, ids, now, most, looks.map((look) => look.pause), again]);
}

const LOCK_WORK = `
  SELECT subject FROM work_queue WHERE app_id = $1 AND queue = 'delivery' AND subject = ANY ($2)
   ORDER BY subject FOR UPDATE SKIP LOCKED`;

const LOCK_ENDPOINTS = `
  SELECT ${webhookEndpoints.columns.join(', ')} FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = ANY ($2) ORDER BY endpoint_id
    FOR NO KEY UPDATE`;

// One statement, so one snapshot, reads the running and the due deliveries and the consent that allows them.
// The row of work serializes claims of an endpoint, so running attempts can only be overcounted: an attempt
// that ends meanwhile wakes the endpoint again.
const DUE = `
  SELECT due.*
    FROM unnest($2::text[], $4::integer[]) WITH ORDINALITY AS e (endpoint_id, most, place)
   CROSS JOIN LATERAL (
     SELECT d.delivery_id, d.endpoint_id, d.sequence, d.next_attempt_at, d.position, ${DELIVERY_GATE_COLUMNS}
       FROM webhook_deliveries d ${DELIVERY_GATE_JOINS}
      WHERE d.app_id = $1 AND d.endpoint_id = e.endpoint_id AND d.status = 'pending'
        AND d.next_attempt_at <= $3
      ORDER BY d.next_attempt_at, d.position
      LIMIT least($5, greatest(0, e.most - (
        SELECT count(*) FROM webhook_deliveries r
         WHERE r.app_id = $1 AND r.endpoint_id = e.endpoint_id AND r.lease IS NOT NULL
           AND r.next_attempt_at > $3)))) due
   ORDER BY e.place, due.next_attempt_at, due.position`;

// A lease moves the due time to its own end: if the worker dies, the delivery falls due again. Ids are in
// arrays and the status is spelled, so that rows are found by their keys, not among all pending or open ones.
// No column is set to a bare element of an array: Citus (13.2.2) crashes the server when it deparses that.
const LEASE = `
  WITH taken AS (
    UPDATE webhook_deliveries d SET lease = ($3::text[])[array_position($2, d.delivery_id)] || '',
      sequence = ($4::bigint[])[array_position($2, d.delivery_id)] + 0, next_attempt_at = $5, updated_at = $6
     WHERE d.app_id = $1 AND d.delivery_id = ANY ($2::text[])
    RETURNING d.workflow_id
  ), numbered AS (
    UPDATE webhook_endpoints e SET last_sequence = ($8::bigint[])[array_position($7, e.endpoint_id)] + 0
     WHERE e.app_id = $1 AND e.endpoint_id = ANY ($7::text[])
       AND e.last_sequence < ($8::bigint[])[array_position($7, e.endpoint_id)]
  )
  UPDATE workflows w SET status = 'running', updated_at = $6
   WHERE w.app_id = $1 AND w.workflow_id = ANY (ARRAY (SELECT workflow_id FROM taken))
     AND w.status NOT IN ('running', 'completed', 'failed')`;

// The attempts go with their deliveries, and a trigger ends the workflows.
const REMOVE = `
  DELETE FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND delivery_id IN (
    SELECT delivery_id FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 LIMIT ${ENDED_AT_ONCE})`;

const SCHEDULE = `
  WITH next AS (
    SELECT e.endpoint_id, e.most, e.pause, CASE WHEN e.again THEN $3 ELSE due.due_at END AS due_at,
           running.count, running.lease_ends_at
      FROM unnest($2::text[], $4::integer[], $5::timestamptz[], $6::boolean[])
           AS e (endpoint_id, most, pause, again)
     CROSS JOIN LATERAL (
       SELECT min(next_attempt_at) AS due_at FROM webhook_deliveries d
        WHERE d.app_id = $1 AND d.endpoint_id = e.endpoint_id AND d.status = 'pending') due
     CROSS JOIN LATERAL (
       SELECT count(*) AS count, min(next_attempt_at) AS lease_ends_at FROM webhook_deliveries d
        WHERE d.app_id = $1 AND d.endpoint_id = e.endpoint_id AND d.lease IS NOT NULL
          AND d.next_attempt_at > $3) running
  ), done AS (
    DELETE FROM work_queue w
     WHERE w.app_id = $1 AND w.queue = 'delivery'
       AND w.subject = ANY (ARRAY (SELECT endpoint_id FROM next WHERE due_at IS NULL))
  )
  UPDATE work_queue w
     SET ready_at = coalesce(next.pause,
       CASE WHEN next.count >= next.most THEN next.lease_ends_at END, next.due_at)
    FROM next
   WHERE w.app_id = $1 AND w.queue = 'delivery' AND w.subject = ANY ($2::text[])
     AND w.subject = next.endpoint_id AND next.due_at IS NOT NULL`;
