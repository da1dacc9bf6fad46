import type { Connection } from '../../schema/connection.js';
import type { RowOf } from '../../entities/rowOf.js';
import type { WebhookAttemptEntity } from '../../entities/WebhookAttemptEntity.js';
import type { WebhookAttempt, WebhookDelivery } from '../../schema/types/Webhook.js';
import { DELIVERY_GATE_COLUMNS, DELIVERY_GATE_JOINS, deliveryVerdict } from '../access/consentGate.js';
import type { DeliveryGateRow } from '../access/consentGate.js';
import { DELIVERY_BODY_COLUMNS, deliveryBody } from '../access/deliveryBody.js';
import type { DeliveryBodyRow } from '../access/deliveryBody.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

interface DeliveryRow extends DeliveryGateRow, DeliveryBodyRow {
  delivery_id: string | null;
  endpoint_id: string;
  status: string;
  error_code: string | null;
  sequence: number | null;
  next_attempt_at: string | null;
  workflow_id: string | null;
  created_at: string;
  attempts: AttemptRow[] | null;
}

type AttemptRow = RowOf<WebhookAttemptEntity>;

// The customer's consent comes from the same snapshot. During an attempt the column has the end of its lease,
// which is no planned time.
const DELIVERIES = `
  SELECT d.delivery_id, d.endpoint_id, d.status, d.error_code, d.sequence, d.workflow_id,
         CASE WHEN d.lease IS NULL THEN d.next_attempt_at END AS due_at,
         d.created_at, ${DELIVERY_BODY_COLUMNS}, ${DELIVERY_GATE_COLUMNS}
    FROM webhook_deliveries d ${DELIVERY_GATE_JOINS}`;

// A pause of the endpoint holds back what is due.
const SHOWN = `
  d.*, t.attempts,
  CASE WHEN d.due_at IS NOT NULL THEN greatest(d.due_at, e.paused_until) END AS next_attempt_at`;

const ATTEMPTS = `
  SELECT jsonb_agg(to_jsonb(t) ORDER BY t.attempt) AS attempts
    FROM (SELECT * FROM webhook_attempts t WHERE t.app_id = $1 AND t.delivery_id = d.delivery_id
           ORDER BY t.attempt DESC LIMIT 50) t`;

// The endpoint gives the first row, so an endpoint without deliveries differs from a missing one.
const LIST = {
  name: 'webhook_deliveries_list',
  text: `SELECT ${SHOWN}
           FROM webhook_endpoints e
           LEFT JOIN LATERAL (${DELIVERIES}
              WHERE d.app_id = $1 AND d.endpoint_id = e.endpoint_id
                AND ($3::text IS NULL OR d.delivery_id < $3)
                AND ($5::text IS NULL OR d.status = $5)
              ORDER BY d.delivery_id DESC LIMIT $4) d ON true
           LEFT JOIN LATERAL (${ATTEMPTS}) t ON true
          WHERE e.app_id = $1 AND e.endpoint_id = $2
          ORDER BY d.delivery_id DESC`,
};

const BY_ID = {
  name: 'webhook_delivery_by_id',
  text: `SELECT ${SHOWN}
           FROM (${DELIVERIES} WHERE d.app_id = $1 AND d.delivery_id = $2) d
           JOIN webhook_endpoints e ON e.app_id = $1 AND e.endpoint_id = d.endpoint_id
           LEFT JOIN LATERAL (${ATTEMPTS}) t ON true`,
};

export async function loadWebhookDelivery(
  { services, appId }: ReadScope,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const [row] = await services.database.readAs<DeliveryRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : toDelivery(row, id);
}

const ALL = {
  name: 'webhook_deliveries',
  text: 'SELECT FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR status = $3)',
};

/** Deliveries of one endpoint with their attempts, newest first; undefined when there is no such endpoint. */
export async function listWebhookDeliveries(
  { services, appId }: ReadScope,
  endpointId: string,
  status: string | undefined,
  request: PageRequest,
): Promise<Connection<WebhookDelivery> | undefined> {
  const scope = { appId, list: 'webhook_deliveries', filter: JSON.stringify([endpointId, status ?? null]) };
  const page = new PageWindow(services.secrets, scope, request);
  const rows = await services.database.readAs<DeliveryRow>(appId, LIST, [
    appId,
    endpointId,
    page.after,
    page.limit,
    status ?? null,
  ]);
  if (rows.length === 0) return undefined;
  const deliveries = rows.flatMap((row) =>
    row.delivery_id === null ? [] : [toDelivery(row, row.delivery_id)],
  );
  const count = countUpTo({ services, appId }, ALL, [appId, endpointId, status ?? null]);
  return page.toPage(deliveries, (node) => ({ position: node.id, node }), count);
}

function toDelivery(row: DeliveryRow, id: string): WebhookDelivery {
  const body = bodyOf(row);
  return {
    id,
    endpointId: row.endpoint_id,
    body,
    eventType: row.event_type,
    status: row.status,
    errorCode: row.error_code,
    sequence: row.sequence,
    attempts: (row.attempts ?? []).map((attempt) => toAttempt(attempt, body !== null)),
    nextAttemptAt: row.next_attempt_at,
    workflowId: row.workflow_id,
    createdAt: row.created_at,
  };
}

/** The body as it would be sent now: without withdrawn purposes and erased customers. */
function bodyOf(row: DeliveryRow): string | null {
  const verdict = deliveryVerdict(row);
  return verdict.allowed ? deliveryBody(row, verdict.open) : null;
}

/** Times in JSON have PostgreSQL's format. An answer is shown with the body, which it may repeat. */
function toAttempt(row: AttemptRow, isShown: boolean): WebhookAttempt {
  return {
    attempt: row.attempt,
    startedAt: new Date(row.started_at).toISOString(),
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    errorCode: row.error_code,
    responseBody: isShown ? row.response_body : null,
  };
}
