import { sqlState, LOCK_NOT_AVAILABLE } from '../../database/sqlState.js';
import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import type { SecretBox } from '../../domain/SecretBox.js';
import { narrowedTo } from '../../domain/webhooks/eventCatalogue.js';
import { signMessage } from '../../domain/webhooks/signMessage.js';
import { secretsInForce } from '../../domain/webhooks/signingSecret.js';
import { HELD } from './claimDeliveries.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { DELIVERY_GATE_COLUMNS, DELIVERY_GATE_TABLES, deliveryVerdict } from '../../access/consentGate.js';
import type { DeliveryGateRow, DropReason } from '../../access/consentGate.js';
import type { Send } from './postWebhook.js';

/**
 * `dropped`: consent no longer allows it. `released`: the endpoint changed, another worker holds the
 * delivery, or the customer's row stayed locked; nothing was attempted.
 */
export type GateDecision = { kind: 'sent' } | { kind: 'dropped'; reason: DropReason } | { kind: 'released' };

/** What the gate works with. */
export interface Gate {
  database: Database;
  secrets: SecretBox;
  clock: () => Date;
}

/** A customer's row may be held by a long step of a cascade; another delivery should not wait behind it. */
const MAX_LOCK_WAIT = '1s';

interface SendRow extends DeliveryGateRow {
  event_type: string;
  data: Record<string, unknown>;
  occurred_at: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: string | null;
}

/**
 * Sends a claimed delivery over a connection that stands, if it may still be sent. A customer's consent is
 * locked while it is read and until the request was handed to the operating system: a revocation waits for
 * that moment, and once it has been answered nothing about its purposes leaves. The lock is shared, so
 * deliveries do not wait for each other.
 */
export async function sendThroughGate(gate: Gate, claim: ClaimedDelivery, send: Send): Promise<GateDecision> {
  try {
    return await gate.database.transaction(claim.appId, (tx) => decide(tx, gate, claim, send), {
      byKeys: true,
      lockTimeout: MAX_LOCK_WAIT,
      locksOnly: true,
    });
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return { kind: 'released' };
    throw error;
  }
}

async function decide(
  tx: Transaction,
  { secrets, clock }: Gate,
  claim: ClaimedDelivery,
  send: Send,
): Promise<GateDecision> {
  // In one flight, the second after the first.
  const [, row] = await Promise.all([
    lockConsent(tx, claim),
    tx.one<SendRow>(TO_SEND, [claim.appId, claim.deliveryId, claim.lease, claim.url]),
  ]);
  if (row === undefined) return { kind: 'released' };
  const verdict = deliveryVerdict(row);
  if (!verdict.allowed) return { kind: 'dropped', reason: verdict.reason };
  const data = verdict.open === undefined ? row.data : narrowedTo(row.data, verdict.open);
  const body = JSON.stringify({ type: row.event_type, timestamp: row.occurred_at, data });
  await send({ headers: headersFor(claim, body, openSecrets(secrets, row), clock()), body });
  return { kind: 'sent' };
}

/**
 * Taken in a statement of its own: the next one's snapshot then holds every revocation that was waited for.
 */
async function lockConsent(tx: Transaction, { appId, customerId }: ClaimedDelivery): Promise<void> {
  if (customerId === null) return;
  await tx.query('SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR SHARE', [
    appId,
    customerId,
  ]);
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

const TO_SEND = `
  SELECT d.event_type, d.data, d.occurred_at, ${DELIVERY_GATE_COLUMNS},
         e.secret, e.previous_secret, e.previous_secret_expires_at
    FROM ${DELIVERY_GATE_TABLES}
    JOIN webhook_endpoints e ON e.app_id = d.app_id AND e.endpoint_id = d.endpoint_id
   WHERE d.app_id = $1 AND d.delivery_id = $2 AND ${HELD} AND e.url = $4
     AND e.status = 'active'`;
