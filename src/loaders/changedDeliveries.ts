import type { ReadScope } from './ReadScope.js';

export interface ChangedDelivery {
  id: string;
  at: string;
}

const CHANGED = {
  name: 'webhook_deliveries_changed',
  text: `SELECT delivery_id AS id, updated_at AS at FROM webhook_deliveries
          WHERE app_id = $1 AND endpoint_id = $2 AND updated_at >= $3
            ORDER BY updated_at DESC, delivery_id DESC LIMIT $4`,
};

/** An endpoint's deliveries changed at or after a time: the newest `limit`, in the order of changes. */
export async function changedDeliveries(
  { services, appId }: ReadScope,
  endpointId: string,
  since: Date,
  limit: number,
): Promise<ChangedDelivery[]> {
  const values = [appId, endpointId, since, limit];
  return (await services.database.readAs<ChangedDelivery>(appId, CHANGED, values)).toReversed();
}
