import type { Event } from '../../schema/types/Event.js';
import { GATE_TABLES, gateColumns, openSql, maskAt } from '../access/consentGate.js';
import { purposeAt } from '../domain/purposes.js';
import { storedJson } from '../documents/FreeForm.js';
import type { ReadScope } from './ReadScope.js';

interface EventPayload {
  eventType: string;
  object: string;
  occurredAt: string;
  intentCategory?: string;
  source?: string;
  confidence?: number;
  eventKey?: string;
}

export interface EventRow {
  event_id: string;
  customer_id: string;
  sequence: number;
  status: string;
  purpose: number;
  /** Null when the purpose was closed since, or no content was stored. */
  payload: EventPayload | null;
  /** JSON as text. */
  properties: string | null;
  error: { code: string; message: string } | null;
  accepted_at: string;
  processed_at: string | null;
  app_name: string;
}

/** The columns of a settled event `e`. */
export const SETTLED_EVENT =
  'e.customer_id, e.sequence, e.event_id, e.status, e.purpose, e.epoch, e.payload, e.error, e.accepted_at, e.processed_at';

/** The columns of a waiting event `i`. */
export const INBOX_EVENT = `i.customer_id, i.sequence, i.item_id AS event_id, CASE WHEN i.attempts > 0 THEN 'processing' ELSE 'accepted' END AS status,
  i.purpose, i.epoch, i.payload, NULL::jsonb AS error, i.accepted_at, NULL::timestamptz AS processed_at`;

/**
 * Reads the events that `found` selects. An event is in the inbox until it is settled, then in `events`: in
 * one snapshot, in exactly one of them. The gate has the same snapshot, so content is returned only while the
 * epoch of its collection is open.
 */
export function eventsOf(found: string, order = ''): string {
  return `WITH found AS (${found})
         SELECT f.event_id, f.customer_id, f.sequence, f.status, f.purpose, f.error, f.accepted_at,
                f.processed_at, g.app_name,
                CASE WHEN ${openSql('f')} THEN f.payload - 'properties' END AS payload,
                CASE WHEN ${openSql('f')} THEN (f.payload -> 'properties')::text END AS properties
           FROM found f
          CROSS JOIN LATERAL (
            SELECT a.name AS app_name, ${gateColumns(maskAt('f.purpose'))}
              FROM ${GATE_TABLES} WHERE h.app_id = $1 AND h.customer_id = f.customer_id) g ${order}`;
}

const BY_ID = {
  name: 'event_by_id',
  text: eventsOf(`SELECT ${SETTLED_EVENT} FROM events e WHERE e.app_id = $1 AND e.event_id = $2
           UNION ALL
           SELECT ${INBOX_EVENT} FROM inbox i WHERE i.app_id = $1 AND i.item_id = $2 AND i.kind = 'event'`),
};

export async function loadEvent({ services, appId }: ReadScope, id: string): Promise<Event | undefined> {
  const [row] = await services.database.readAs<EventRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : toEvent(row);
}

export function toEvent(row: EventRow): Event {
  return {
    id: row.event_id,
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
    properties: storedJson(row.properties),
    source: payload.source ?? row.app_name,
    confidence: payload.confidence ?? 1,
    eventKey: payload.eventKey ?? null,
  };
}
