import { sqlState, LOCK_NOT_AVAILABLE } from '../../database/sqlState.js';
import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import type { SecretBox } from '../../domain/SecretBox.js';
import { signMessage } from '../../domain/webhooks/signMessage.js';
import { secretsInForce } from '../../domain/webhooks/signingSecret.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import {
  DELIVERY_GATE_COLUMNS,
  DELIVERY_GATE_JOINS,
  deliveryVerdict,
  SHARE_FREE_HEADS,
  shareHead,
} from '../../access/consentGate.js';
import type { DeliveryGateRow, DropReason } from '../../access/consentGate.js';
import { DELIVERY_BODY_COLUMNS, deliveryBody } from '../../access/deliveryBody.js';
import type { DeliveryBodyRow } from '../../access/deliveryBody.js';
import type { Send } from './postWebhook.js';

/**
 * `dropped`: consent no longer allows it. `released`: nothing was attempted, because the endpoint changed,
 * another worker holds the delivery, this process was frozen, or the customer's row stayed locked (`locked`).
 */
export type GateDecision =
  { kind: 'sent' } | { kind: 'dropped'; reason: DropReason } | { kind: 'released'; locked?: true };

export interface Gate {
  database: Database;
  secrets: SecretBox;
  clock: () => Date;
}

/** A long step of a cascade may hold a customer's row; other deliveries should not wait for it. */
const MAX_LOCK_WAIT = '1s';

/** A claimed delivery with an open connection. */
export interface Passage {
  claim: ClaimedDelivery;
  send: Send;
}

interface SendRow extends DeliveryGateRow, DeliveryBodyRow {
  delivery_id: string;
  lease: string | null;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: string | null;
}

/**
 * Sends a claimed delivery over an open connection, if it may still be sent. The customer's consent is locked
 * until the request was passed to the operating system: a revocation waits for that, and after its answer
 * nothing about its purposes is sent. The lock is shared, so deliveries do not wait for each other.
 */
export async function sendThroughGate(gate: Gate, claim: ClaimedDelivery, send: Send): Promise<GateDecision> {
  try {
    const { appId, customerId } = claim;
    return await locking(gate, appId, async (tx) => {
      const [, rows] = await Promise.all([
        customerId === null ? [] : tx.query(shareHead('$2'), [appId, customerId]),
        readToSend(tx, [claim]),
      ]);
      return decide(gate, tx, { claim, send }, rows.get(claim.deliveryId));
    });
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return { kind: 'released', locked: true };
    throw error;
  }
}

/**
 * The same for several deliveries of one app in one transaction. It waits for no lock, so it holds none
 * longer than passing all requests takes.
 *
 * @returns each one's decision, in order; undefined where the customer's consent was locked
 */
export function sendTogether(
  gate: Gate,
  passages: readonly Passage[],
): Promise<(PromiseSettledResult<GateDecision> | undefined)[]> {
  const claims = passages.map(({ claim }) => claim);
  const appId = (claims[0] as ClaimedDelivery).appId;
  const customers = [...new Set(claims.flatMap(({ customerId }) => customerId ?? []))];
  return locking(gate, appId, async (tx) => {
    const [locked, rows] = await Promise.all([
      customers.length === 0 ? [] : tx.query<LockedHead>(SHARE_FREE_HEADS, [appId, customers]),
      readToSend(tx, claims),
    ]);
    const free = new Set(locked.map((head) => head.customer_id));
    const decided = passages.map(async (passage) => {
      const { customerId, deliveryId } = passage.claim;
      if (customerId !== null && !free.has(customerId)) return undefined;
      return decide(gate, tx, passage, rows.get(deliveryId));
    });
    const settled = await Promise.allSettled(decided);
    return settled.map((one) => {
      if (one.status === 'rejected') return one;
      return one.value === undefined ? undefined : { ...one, value: one.value };
    });
  });
}

interface LockedHead {
  customer_id: string;
}

function locking<T>(gate: Gate, appId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const options = { byKeys: true, lockTimeout: MAX_LOCK_WAIT, locksOnly: true };
  return gate.database.transaction(appId, work, options);
}

/** Sent in one round trip after the locks: its snapshot has every revocation that they waited for. */
async function readToSend(
  tx: Transaction,
  claims: readonly ClaimedDelivery[],
): Promise<Map<string, SendRow>> {
  const appId = (claims[0] as ClaimedDelivery).appId;
  const ids = claims.map(({ deliveryId }) => deliveryId);
  const rows = await tx.query<SendRow>(TO_SEND, [appId, ids]);
  return new Map(rows.map((row) => [row.delivery_id, row]));
}

async function decide(
  { secrets, clock }: Gate,
  tx: Transaction,
  { claim, send }: Passage,
  row: SendRow | undefined,
): Promise<GateDecision> {
  if (row === undefined || row.lease !== claim.lease || row.url !== claim.url) return { kind: 'released' };
  const verdict = deliveryVerdict(row);
  if (!verdict.allowed) return { kind: 'dropped', reason: verdict.reason };
  const body = deliveryBody(row, verdict.open);
  const headers = headersFor(claim, body, openSecrets(secrets, row), clock());
  if (!tx.locksAreSure) return { kind: 'released' };
  await send({ headers, body });
  return { kind: 'sent' };
}

function openSecrets(box: SecretBox, row: SendRow): Parameters<typeof secretsInForce>[0] {
  const current = box.open(row.secret);
  if (row.previous_secret === null || row.previous_secret_expires_at === null) return { current };
  return {
    current,
    previous: box.open(row.previous_secret),
    previousExpiresAt: row.previous_secret_expires_at,
  };
}

function headersFor(
  claim: ClaimedDelivery,
  body: string,
  secrets: Parameters<typeof secretsInForce>[0],
  now: Date,
): Record<string, string> {
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'partner-consent-profile-service-webhooks/1',
    accept: '*/*',
    'webhook-id': claim.deliveryId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signMessage(secretsInForce(secrets, now), {
      id: claim.deliveryId,
      timestampSeconds,
      body,
    }),
    'webhook-sequence': String(claim.sequence),
  };
}

// A delivery that ended has no lease.
const TO_SEND = `
  SELECT d.delivery_id, d.lease, ${DELIVERY_BODY_COLUMNS}, ${DELIVERY_GATE_COLUMNS},
         e.url, e.secret, e.previous_secret, e.previous_secret_expires_at
    FROM webhook_deliveries d ${DELIVERY_GATE_JOINS}
    JOIN webhook_endpoints e ON e.app_id = d.app_id AND e.endpoint_id = d.endpoint_id
   WHERE d.app_id = $1 AND d.delivery_id = ANY ($2) AND e.status = 'active'`;
