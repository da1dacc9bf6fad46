import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { signalWork } from '../../database/workSignal.js';
import { afterFailure } from '../../domain/webhooks/endpointHealth.js';
import { nextAttemptAt } from '../../domain/webhooks/retrySchedule.js';
import type { AttemptMade, AttemptOutcome } from './AttemptOutcome.js';
import { HELD, lockEndpoints, takeDue } from './claimDeliveries.js';
import type { ClaimedDelivery, LockedEndpoints } from './claimDeliveries.js';
import { healthOf } from '../../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../../entities/WebhookEndpointEntity.js';
import { disableEndpoint, dropDelivery, endDeliveries } from '../../commands/finishDelivery.js';
import { wakeEndpoints } from '../../commands/writeDeliveries.js';

/** Inputs of recording beside the outcome. */
export interface RecordFacts {
  now: Date;
  /** Jitter in [0, 1). */
  random: number;
}

/** How long a delivery rests whose customer's row stayed locked, in milliseconds. */
const LOCKED_WAIT_MS = 2000;

interface HeldRow {
  delivery_id: string;
  attempts: number;
  earlier_attempts: number;
}

/** A successful attempt by the holder of the lease. */
export interface Success {
  claim: ClaimedDelivery;
  attempt: AttemptMade;
  now: Date;
}

/**
 * Records a failed attempt and its effects: the end or next attempt of the delivery, the health of the
 * endpoint, the workflow. Only the holder of the lease records: an attempt that outlived its lease is
 * ignored.
 */
export async function recordUnsuccessful(
  database: Database,
  claim: ClaimedDelivery,
  outcome: AttemptOutcome,
  facts: RecordFacts,
): Promise<void> {
  await lockAll(database, [claim], facts.now, async (tx, { endpoints, held }) => {
    const [endpoint] = endpoints;
    const row = held.get(claim.deliveryId);
    if (endpoint !== undefined && row !== undefined)
      await record(tx, { claim, endpoint, held: row, facts }, outcome);
    tx.afterCommit(() => signalWork('delivery'));
  });
}

/**
 * Records successful attempts of one app and their effects in one transaction. It holds the locks of a claim,
 * so it also claims the next due deliveries of the same endpoints.
 *
 * @param room how many to claim, about; 0: none
 */
export async function recordSuccesses(
  database: Database,
  successes: readonly [Success, ...Success[]],
  room: number,
): Promise<ClaimedDelivery[]> {
  const [{ now }] = successes;
  const claims = successes.map(({ claim }) => claim);
  return lockAll(database, claims, now, async (tx, { held, ...locked }) => {
    const heard = successes.filter(({ claim }) => held.has(claim.deliveryId));
    const healthy = heard.length === 0 ? locked.endpoints : noteSuccesses(tx, locked, heard, held);
    if (room > 0) return takeDue(tx, { ...locked, endpoints: healthy, room }, now);
    tx.afterCommit(() => signalWork('delivery'));
    return [];
  });
}

/** @returns the endpoints as they are now: a success resets an endpoint's health */
function noteSuccesses(
  tx: Transaction,
  { endpoints }: LockedEndpoints,
  heard: readonly Success[],
  held: ReadonlyMap<string, HeldRow>,
): EndpointRow[] {
  addAttempts(
    tx,
    heard.map(({ claim, attempt }) => ({ claim, attempt, held: held.get(claim.deliveryId) })),
  );
  const ids = heard.map(({ claim }) => claim.deliveryId);
  endDeliveries(tx, ids, { status: 'delivered', attempted: true }, (heard[0] as Success).now);
  const byId = new Map(endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  const answered = heard.filter(({ claim }) => isOfPresentUrl(claim, byId.get(claim.endpointId)));
  const well = new Set(answered.map(({ claim }) => claim.endpointId));
  const recovered = endpoints.filter(
    ({ endpoint_id: id, consecutive_failures: failures, failing_since: since }) =>
      well.has(id) && (failures !== 0 || since !== null),
  );
  if (recovered.length === 0) return [...endpoints];
  tx.send(SET_HEALTHY, [tx.appId, recovered.map((endpoint) => endpoint.endpoint_id)]);
  return endpoints.map((endpoint) =>
    recovered.includes(endpoint) ? { ...endpoint, consecutive_failures: 0, failing_since: null } : endpoint,
  );
}

interface Locked extends LockedEndpoints {
  /** Deliveries that the claims still hold. */
  held: ReadonlyMap<string, HeldRow>;
}

/** Locks the endpoints of claims of one app, and the deliveries that the claims still hold. */
function lockAll<T>(
  database: Database,
  claims: readonly ClaimedDelivery[],
  now: Date,
  work: (tx: Transaction, locked: Locked) => Promise<T>,
): Promise<T> {
  const appId = (claims[0] as ClaimedDelivery).appId;
  const ids = [...new Set(claims.map(({ endpointId }) => endpointId))].sort();
  const held = [claims.map(({ deliveryId }) => deliveryId), claims.map((claim) => claim.lease)];
  const locked = async (tx: Transaction): Promise<T> => {
    // In one round trip, in the lock order of claims: rows of work, endpoints, deliveries.
    wakeEndpoints(tx, ids, now);
    const [endpoints, rows] = await Promise.all([
      lockEndpoints(tx, ids),
      tx.query<HeldRow>(LOCK_DELIVERIES, [appId, ...held]),
    ]);
    return work(tx, { ids, endpoints, held: new Map(rows.map((row) => [row.delivery_id, row])) });
  };
  return database.transaction(appId, locked, { byKeys: true });
}

interface Recording {
  claim: ClaimedDelivery;
  endpoint: EndpointRow;
  held: HeldRow;
  facts: RecordFacts;
}

async function record(tx: Transaction, recording: Recording, outcome: AttemptOutcome): Promise<void> {
  const { claim, facts } = recording;
  if (outcome.kind === 'dropped') return dropDelivery(tx, claim.deliveryId, outcome.reason, facts.now);
  if (outcome.kind === 'released') {
    const wait = outcome.locked === true ? LOCKED_WAIT_MS : 0;
    const due = new Date(facts.now.getTime() + wait);
    tx.send(RELEASE, [claim.appId, claim.deliveryId, due, facts.now]);
    return;
  }
  addAttempts(tx, [{ claim, attempt: outcome, held: recording.held }]);
  await recordFailure(tx, recording, outcome);
}

async function recordFailure(tx: Transaction, recording: Recording, attempt: AttemptMade): Promise<void> {
  const { claim, endpoint } = recording;
  if (!isOfPresentUrl(claim, endpoint)) return scheduleNext(tx, recording, attempt);
  scheduleNext(tx, recording, attempt, attempt.retryAfterSeconds);
  await noteFailure(tx, recording, attempt);
}

/** An answer of an earlier URL of the endpoint says nothing about its receiver of today. */
function isOfPresentUrl(claim: ClaimedDelivery, endpoint: EndpointRow | undefined): boolean {
  return claim.url === endpoint?.url;
}

/** Sets the next attempt of the delivery, or ends it after the last one. */
function scheduleNext(
  tx: Transaction,
  { claim, held, facts }: Recording,
  attempt: AttemptMade,
  retryAfterSeconds?: number,
): void {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const attempts = held.attempts + 1 - held.earlier_attempts;
  const next = nextAttemptAt({ attempts, endedAt: facts.now, ...retry }, facts.random);
  if (next === null) {
    const end = {
      status: 'failed',
      errorCode: 'delivery_failed',
      message: `No attempt succeeded. ${lastResult(attempt)}`,
      attempted: true,
    } as const;
    endDeliveries(tx, [claim.deliveryId], end, facts.now);
  } else tx.send(SET_NEXT, [claim.appId, claim.deliveryId, next, facts.now]);
}

async function noteFailure(
  tx: Transaction,
  { claim, endpoint, facts }: Recording,
  attempt: AttemptMade,
): Promise<void> {
  const { health, disabledReason } = afterFailure(healthOf(endpoint), attempt, facts.now);
  const { consecutiveFailures, failingSince, pausedUntil } = health;
  tx.send(SET_HEALTH, [claim.appId, claim.endpointId, consecutiveFailures, failingSince, pausedUntil]);
  if (disabledReason !== undefined) await disableEndpoint(tx, claim.endpointId, disabledReason, facts.now);
}

function lastResult(attempt: AttemptMade): string {
  if (attempt.statusCode !== undefined) return `The last answer had status ${attempt.statusCode}.`;
  return `The last attempt ended with ${attempt.errorCode ?? 'connection_failed'}.`;
}

interface Attempted {
  claim: ClaimedDelivery;
  attempt: AttemptMade;
  held: HeldRow | undefined;
}

function addAttempts(tx: Transaction, made: readonly Attempted[]): void {
  const column = (pick: (one: Attempted) => unknown): unknown[] => made.map((one) => pick(one));
  tx.send(ADD_ATTEMPTS, [
    tx.appId,
    column(({ claim }) => claim.deliveryId),
    column(({ held }) => (held?.attempts ?? 0) + 1),
    column(({ attempt }) => attempt.startedAt),
    column(({ attempt }) => Math.round(attempt.durationMs)),
    column(({ attempt }) => attempt.statusCode ?? null),
    column(({ attempt }) => attempt.errorCode ?? null),
    column(({ attempt }) => attempt.answer ?? null),
  ]);
}

const LOCK_DELIVERIES = `
  SELECT delivery_id, attempts, earlier_attempts FROM webhook_deliveries d
   WHERE d.app_id = $1 AND d.delivery_id = ANY ($2::text[]) AND ${HELD} ORDER BY delivery_id FOR UPDATE`;

const ADD_ATTEMPTS = `
  INSERT INTO webhook_attempts (app_id, delivery_id, attempt, started_at, duration_ms, status_code,
    error_code, response_body)
  SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[],
    $7::text[], $8::text[])
  RETURNING 1`;

const RELEASE = `
  UPDATE webhook_deliveries SET lease = NULL, next_attempt_at = $3, updated_at = $4 WHERE app_id = $1
    AND delivery_id = $2`;

const SET_NEXT = `
  UPDATE webhook_deliveries SET lease = NULL, next_attempt_at = $3, updated_at = $4, attempts = attempts + 1
   WHERE app_id = $1 AND delivery_id = $2`;

const SET_HEALTHY = `
  UPDATE webhook_endpoints SET consecutive_failures = 0, failing_since = NULL
   WHERE app_id = $1 AND endpoint_id = ANY ($2)`;

const SET_HEALTH = `
  UPDATE webhook_endpoints SET consecutive_failures = $3, failing_since = $4, paused_until = $5
   WHERE app_id = $1 AND endpoint_id = $2`;
