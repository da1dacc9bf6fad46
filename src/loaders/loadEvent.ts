import type { Event } from '../../schema/types/Event.js';
import { GATE_TABLES, gateColumns, isOpen, maskAt } from '../access/consentGate.js';
import { purposeAt } from '../commands/receiptRow.js';
import type { JsonObject } from '../domain/jsonValue.js';
import type { Loaders } from './Loaders.js';

interface EventPayload {
  eventType: string;
  object: string;
  occurredAt: string;
  intentCategory?: string;
  properties?: JsonObject;
  source?: string;
  confidence?: number;
  eventKey?: string;
}

interface EventRow extends Record<string, unknown> {
  event_id: string;
  customer_id: string;
  sequence: number;
  status: string;
  purpose: number;
  /** Null when the purpose was closed since, or nothing was kept. */
  payload: EventPayload | null;
  error: { code: string; message: string } | null;
  accepted_at: string;
  processed_at: string | null;
  app_name: string;
}

/**
 * An event is in the inbox until it is settled, then among the events: in one snapshot, in exactly one of them. The gate is of
 * the same snapshot, so content is given out only while the epoch it was collected under is open.
 */
const BY_ID = {
  name: 'event_by_id',
  text: `WITH found AS (
           SELECT customer_id, sequence, event_id, status, purpose, epoch, payload, error, accepted_at, processed_at
             FROM events WHERE app_id = $1 AND event_id = $2
           UNION ALL
           SELECT customer_id, sequence, item_id, CASE WHEN attempts > 0 THEN 'processing' ELSE 'accepted' END, purpose, epoch, payload,
                  NULL, accepted_at, NULL
             FROM inbox WHERE app_id = $1 AND item_id = $2 AND kind = 'event')
         SELECT f.event_id, f.customer_id, f.sequence, f.status, f.purpose, f.error, f.accepted_at, f.processed_at, g.app_name,
                CASE WHEN ${isOpen('f')} THEN f.payload END AS payload
           FROM found f
          CROSS JOIN LATERAL (
            SELECT a.name AS app_name, ${gateColumns(maskAt('f.purpose'))}
              FROM ${GATE_TABLES} WHERE h.app_id = $1 AND h.customer_id = f.customer_id) g`,
};

export async function loadEvent({ services, appId }: Loaders, id: string): Promise<Event | undefined> {
  const [row] = await services.database.readAs<EventRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : toEvent(row);
}

function toEvent(row: EventRow): Event {
  return {
    eventId: row.event_id,
    status: row.status,
    sequence: row.sequence,
    error: row.error,
    acceptedAt: row.accepted_at,
    processedAt: row.processed_at,
    ...(row.payload === null ? {} : contentOf(row, row.payload)),
  };
}

function contentOf(row: EventRow, payload: EventPayload): Partial<Event> {
  return {
    customerId: row.customer_id,
    consentPurpose: purposeAt(row.purpose),
    eventType: payload.eventType,
    object: payload.object,
    occurredAt: payload.occurredAt,
    intentCategory: payload.intentCategory ?? null,
    properties: payload.properties ?? null,
    source: payload.source ?? row.app_name,
    confidence: payload.confidence ?? 1,
    eventKey: payload.eventKey ?? null,
  };
}
