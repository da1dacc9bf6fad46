import { narrowedTo } from '../domain/webhooks/eventCatalogue.js';
import type { Purpose } from '../domain/purposes.js';

/** Columns of a delivery `d` of the app `$1`. The session is read only where a message names approvals. */
export const DELIVERY_BODY_COLUMNS = `d.event_type, d.occurred_at, d.data,
         CASE WHEN d.data ? 'approved_purposes' THEN coalesce((
           SELECT s.approved_purposes FROM connection_sessions s
            WHERE s.app_id = $1 AND s.session_id = d.data ->> 'session_id'), '{}') END AS approved_now`;

export interface DeliveryBodyRow {
  event_type: string;
  occurred_at: string;
  data: Record<string, unknown>;
  /** What is approved now in the session that the message is about; null when it names no approvals. */
  approved_now: Purpose[] | null;
}

/**
 * A delivery's body as it may be sent now: without purposes that were closed since the change, and without
 * approvals that were taken back.
 *
 * @param open the purposes that the message may still name; undefined when it has none
 */
export function deliveryBody(row: DeliveryBodyRow, open: readonly Purpose[] | undefined): string {
  const gated = open === undefined ? row.data : narrowedTo(row.data, 'purposes', open);
  const data = row.approved_now === null ? gated : narrowedTo(gated, 'approved_purposes', row.approved_now);
  return JSON.stringify({ type: row.event_type, timestamp: row.occurred_at, data });
}
