import type { Database } from '../../database/Database.js';
import type { SecretBox } from '../../domain/SecretBox.js';
import { narrowedTo } from '../../domain/webhooks/eventCatalogue.js';
import { signMessage } from '../../domain/webhooks/signMessage.js';
import { secretsInForce } from '../../domain/webhooks/signingSecret.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { consentVerdict } from './consentVerdict.js';
import type { DeliveryGateRow, DropReason } from './consentVerdict.js';
import type { PreparedRequest } from './postWebhook.js';

export interface Ready {
  kind: 'ready';
  request: PreparedRequest;
}

/** `dropped`: consent no longer allows it. `released`: the endpoint changed or another worker holds it; nothing was attempted. */
export type Prepared = Ready | { kind: 'dropped'; reason: DropReason } | { kind: 'released' };

interface SendRow extends DeliveryGateRow {
  event_type: string;
  data: Record<string, unknown>;
  occurred_at: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: string | null;
}

/**
 * Decides, with the connection already standing, whether a claimed delivery may still be sent, and signs it. What it is
 * about, the consent of now, the endpoint and the lease are read in one snapshot, one local round trip before the first
 * byte leaves.
 */
export async function prepareDelivery(
  database: Database,
  secrets: SecretBox,
  claim: ClaimedDelivery,
  now: Date,
): Promise<Prepared> {
  const [row] = await database.readAs<SendRow>(claim.appId, { name: 'webhook_prepare', text: TO_SEND }, [
    claim.appId,
    claim.deliveryId,
    claim.lease,
    claim.url,
  ]);
  if (row === undefined) return { kind: 'released' };
  const verdict = consentVerdict(row);
  if (!verdict.allowed) return { kind: 'dropped', reason: verdict.reason };
  const data = verdict.open === undefined ? row.data : narrowedTo(row.data, verdict.open);
  const body = JSON.stringify({ type: row.event_type, timestamp: row.occurred_at, data });
  return { kind: 'ready', request: { headers: headersFor(claim, body, openSecrets(secrets, row), now), body } };
}

function openSecrets(box: SecretBox, row: SendRow): Parameters<typeof secretsInForce>[0] {
  const current = box.open(row.secret);
  if (row.previous_secret === null || row.previous_secret_expires_at === null) return { current };
  return { current, previous: box.open(row.previous_secret), previousExpiresAt: row.previous_secret_expires_at };
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
    'webhook-signature': signMessage(secretsInForce(secrets, now), { id: claim.deliveryId, timestampSeconds, body }),
    'webhook-sequence': String(claim.sequence),
  };
}

const TO_SEND = `
  SELECT d.event_type, d.data, d.occurred_at, d.customer_id, d.purpose_mask, d.epochs,
         h.granted_mask & a.allowed_mask AS open_mask, h.epochs AS epochs_now, h.customer_id IS NOT NULL AS known, a.status = 'active' AS app_active,
         e.secret, e.previous_secret, e.previous_secret_expires_at
    FROM webhook_deliveries d JOIN apps a ON a.app_id = d.app_id
    JOIN webhook_endpoints e ON e.app_id = d.app_id AND e.endpoint_id = d.endpoint_id
    LEFT JOIN customer_heads h ON h.app_id = d.app_id AND h.customer_id = d.customer_id
   WHERE d.app_id = $1 AND d.delivery_id = $2 AND d.lease = $3 AND d.status = 'pending' AND e.url = $4 AND e.status = 'active'`;
