import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { signalWork } from '../../database/workSignal.js';
import { afterFailure } from '../../domain/webhooks/endpointHealth.js';
import { nextAttemptAt } from '../../domain/webhooks/retrySchedule.js';
import type { AttemptMade, AttemptOutcome } from './AttemptOutcome.js';
import { HELD } from './claimDeliveries.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { healthOf } from '../../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../../entities/WebhookEndpointEntity.js';
import { disableEndpoint, dropDelivery, endDeliveries } from '../../commands/finishDelivery.js';
import { wakeEndpoints } from '../../commands/writeDeliveries.js';

/** Inputs of recording beside the outcome. */
export interface RecordFacts {
  now: Date;
  /** In [0, 1): the jitter. */
  random: number;
}

interface HeldRow extends Record<string, unknown> {
  attempts: number;
  earlier_attempts: number;
}

/** An attempt that succeeded, by the holder of its lease. */
export interface Success {
  claim: ClaimedDelivery;
  attempt: AttemptMade;
  now: Date;
}

/**
 * Writes down an attempt that did not succeed, and what follows from it: the delivery's end or next attempt,
 * the endpoint's health, its workflow. Only by the holder of the lease: an attempt that outlived its lease says
 * nothing.
 */
export async function recordUnsuccessful(
  database: Database,
  claim: ClaimedDelivery,
  outcome: AttemptOutcome,
  facts: RecordFacts,
): Promise<void> {
  await lockAll(database, claim, [claim], facts.now, async (tx, endpoint, [held]) => {
    if (held !== undefined) await record(tx, { claim, endpoint, held, facts }, outcome);
  });
}

/** Writes down attempts of one endpoint that succeeded, in one transaction, with what follows from them. */
export async function recordSuccesses(
  database: Database,
  successes: readonly [Success, ...Success[]],
): Promise<void> {
  const [{ claim: first, now }] = successes;
  const claims = successes.map(({ claim }) => claim);
  await lockAll(database, first, claims, now, async (tx, endpoint, held) => {
    const heard = successes.flatMap((success, at) => {
      const row = held[at];
      return row === undefined ? [] : [{ ...success, row }];
    });
    if (heard.length === 0) return;
    for (const { claim, row, attempt } of heard) tx.send(ADD_ATTEMPT, attemptValues(claim, row, attempt));
    const ids = heard.map(({ claim }) => claim.deliveryId);
    endDeliveries(tx, first.appId, ids, { status: 'delivered' }, now);
    const healthy = endpoint.consecutive_failures === 0 && endpoint.failing_since === null;
    if (!healthy) tx.send(SET_HEALTHY, [first.appId, first.endpointId]);
  });
}

/** Locks an endpoint and those of its deliveries that the claims still hold; undefined for each other one. */
async function lockAll(
  database: Database,
  { appId, endpointId }: ClaimedDelivery,
  claims: readonly ClaimedDelivery[],
  now: Date,
  work: (tx: Transaction, endpoint: EndpointRow, held: readonly (HeldRow | undefined)[]) => Promise<void>,
): Promise<void> {
  const locked = async (tx: Transaction): Promise<void> => {
    // In one flight, in the order in which claims lock: the row of work, the endpoint, the deliveries.
    wakeEndpoints(tx, appId, [endpointId], now);
    const [endpoint, ...held] = await Promise.all([
      tx.one<EndpointRow>(LOCK_ENDPOINT, [appId, endpointId]),
      ...claims.map(({ deliveryId, lease }) => tx.one<HeldRow>(LOCK_DELIVERY, [appId, deliveryId, lease])),
    ]);
    if (endpoint !== undefined) await work(tx, endpoint, held);
    tx.afterCommit(() => signalWork('delivery'));
  };
  await database.transaction(appId, locked, { byKeys: true });
}

interface Recording {
  claim: ClaimedDelivery;
  endpoint: EndpointRow;
  held: HeldRow;
  facts: RecordFacts;
}

async function record(tx: Transaction, recording: Recording, outcome: AttemptOutcome): Promise<void> {
  const { claim, facts } = recording;
  if (outcome.kind === 'dropped')
    return dropDelivery(tx, claim.appId, claim.deliveryId, outcome.reason, facts.now);
  if (outcome.kind === 'released') {
    tx.send(RELEASE, [claim.appId, claim.deliveryId, facts.now]);
    return;
  }
  tx.send(ADD_ATTEMPT, attemptValues(claim, recording.held, outcome));
  await recordFailure(tx, recording, outcome);
}

async function recordFailure(tx: Transaction, recording: Recording, attempt: AttemptMade): Promise<void> {
  const { claim, endpoint, held, facts } = recording;
  const { health, disabledReason } = afterFailure(healthOf(endpoint), attempt, facts.now);
  const { consecutiveFailures, failingSince, pausedUntil } = health;
  tx.send(SET_HEALTH, [claim.appId, claim.endpointId, consecutiveFailures, failingSince, pausedUntil]);
  const retry =
    attempt.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: attempt.retryAfterSeconds };
  const attempts = held.attempts + 1 - held.earlier_attempts;
  const next = nextAttemptAt({ attempts, endedAt: facts.now, ...retry }, facts.random);
  if (next === null) {
    const end = {
      status: 'failed',
      errorCode: 'delivery_failed',
      message: `No attempt succeeded. ${lastResult(attempt)}`,
    } as const;
    endDeliveries(tx, claim.appId, [claim.deliveryId], end, facts.now);
  } else tx.send(SET_NEXT, [claim.appId, claim.deliveryId, next, facts.now]);
  if (disabledReason !== undefined)
    await disableEndpoint(tx, claim.appId, claim.endpointId, disabledReason, facts.now);
}

function lastResult(attempt: AttemptMade): string {
  if (attempt.statusCode !== undefined) return `The last answer had status ${attempt.statusCode}.`;
  return `The last attempt ended with ${attempt.errorCode ?? 'connection_failed'}.`;
}

function attemptValues(claim: ClaimedDelivery, held: HeldRow, attempt: AttemptMade): unknown[] {
  const { statusCode = null, errorCode = null, answer = null, startedAt, durationMs } = attempt;
  return [
    claim.appId,
    claim.deliveryId,
    held.attempts + 1,
    startedAt,
    Math.round(durationMs),
    statusCode,
    errorCode,
    answer,
  ];
}

const LOCK_ENDPOINT = `SELECT * FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = $2
  FOR NO KEY UPDATE`;

const LOCK_DELIVERY = `
  SELECT attempts, earlier_attempts FROM webhook_deliveries d
   WHERE d.app_id = $1 AND d.delivery_id = $2 AND ${HELD} FOR UPDATE`;

const ADD_ATTEMPT = `
  WITH counted AS (
    UPDATE webhook_deliveries SET attempts = $3 WHERE app_id = $1 AND delivery_id = $2
  )
  INSERT INTO webhook_attempts (app_id, delivery_id, attempt, started_at, duration_ms, status_code,
    error_code, response_body)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const RELEASE = `
  UPDATE webhook_deliveries SET lease = NULL, next_attempt_at = $3, updated_at = $3 WHERE app_id = $1
    AND delivery_id = $2`;

const SET_NEXT = `
  UPDATE webhook_deliveries SET lease = NULL, next_attempt_at = $3, updated_at = $4 WHERE app_id = $1
    AND delivery_id = $2`;

const SET_HEALTHY = `
  UPDATE webhook_endpoints SET consecutive_failures = 0, failing_since = NULL
   WHERE app_id = $1 AND endpoint_id = $2`;

const SET_HEALTH = `
  UPDATE webhook_endpoints SET consecutive_failures = $3, failing_since = $4, paused_until = $5
   WHERE app_id = $1 AND endpoint_id = $2`;
