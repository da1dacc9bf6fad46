import type { Transaction } from '../database/Transaction.js';
import type { EndpointRow } from '../jobs/webhooks/EndpointRow.js';
import { wakeEndpoints } from '../jobs/webhooks/writeDeliveries.js';
import { ServiceError } from '../errors.js';

/** An endpoint as both doors show it: never a secret. */
export interface EndpointView {
  id: string;
  url: string;
  enabledEvents: string[];
  status: 'active' | 'disabled';
  disabledReason: string | null;
  createdAt: string;
  updatedAt: string;
}

export const ENDPOINT_COLUMNS = 'endpoint_id, url, enabled_events, status, disabled_reason, created_at, updated_at';

export type EndpointViewRow = Pick<
  EndpointRow,
  'endpoint_id' | 'url' | 'enabled_events' | 'status' | 'disabled_reason' | 'created_at' | 'updated_at'
> &
  Record<string, unknown>;

export function toEndpoint(row: EndpointViewRow): EndpointView {
  return {
    id: row.endpoint_id,
    url: row.url,
    enabledEvents: row.enabled_events,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The endpoint, locked against other changes. @throws ServiceError `not_found` */
export async function lockEndpoint(tx: Transaction, appId: string, id: string): Promise<EndpointRow> {
  const row = await tx.one<EndpointRow>(
    'SELECT * FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = $2 FOR NO KEY UPDATE',
    [appId, id],
  );
  if (row === undefined) throw endpointNotFound();
  return row;
}

/**
 * As `lockEndpoint`, of one that is about to be sent something. @throws ServiceError `conflict` when it is disabled
 */
export async function lockForSending(tx: Transaction, appId: string, id: string, now: Date): Promise<EndpointRow> {
  // First the row of work, as the delivery worker locks; a refusal rolls it back.
  await wakeEndpoints(tx, appId, [id], now);
  const row = await lockEndpoint(tx, appId, id);
  if (row.status === 'active') return row;
  throw new ServiceError('conflict', 'The webhook endpoint is disabled. Enable it first.');
}

export function endpointNotFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such webhook endpoint.');
}
