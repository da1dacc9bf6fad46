import type { DeliveryOverview } from '../../schema/types/Overview.js';
import type { WindowSteps } from '../domain/overview/overviewWindow.js';
import type { ReadScope } from './ReadScope.js';
import { readTallies } from './readTallies.js';

/** Maximum count of waiting deliveries. */
const MAX_COUNTED = 10_000;

interface HealthRow {
  active: number;
  failing: number;
  disabled: number;
  pending: number;
  oldest_at: string | null;
}

// An endpoint's pending deliveries are contiguous in webhook_deliveries_due_idx; only those that are counted
// are read.
const HEALTH = {
  name: 'webhook_health',
  text: `SELECT count(*) FILTER (WHERE e.status = 'active') AS active,
                count(*) FILTER (WHERE e.status = 'active' AND e.failing_since IS NOT NULL) AS failing,
                count(*) FILTER (WHERE e.status = 'disabled') AS disabled,
                coalesce(sum(d.pending), 0)::bigint AS pending, min(d.oldest_at) AS oldest_at
           FROM webhook_endpoints e
          CROSS JOIN LATERAL (
            SELECT count(*) AS pending, min(p.occurred_at) AS oldest_at
              FROM (SELECT occurred_at FROM webhook_deliveries p
                     WHERE p.app_id = $1 AND p.endpoint_id = e.endpoint_id AND p.status = 'pending'
                       LIMIT ${MAX_COUNTED + 1}) p) d
          WHERE e.app_id = $1`,
};

const ENDS = ['delivered', 'failed', 'dropped'] as const;

/** The results of deliveries within the window, and what waits now. */
export async function loadDeliveryOverview(scope: ReadScope, steps: WindowSteps): Promise<DeliveryOverview> {
  const { services, appId } = scope;
  const sheet = await readTallies(
    scope,
    ENDS.map((end) => `delivery_${end}`),
    steps,
  );
  const [health] = await services.database.readAs<HealthRow>(appId, HEALTH, [appId]);
  const pending = health?.pending ?? 0;
  return {
    delivered: sheet.within('delivery_delivered'),
    failed: sheet.within('delivery_failed'),
    dropped: sheet.within('delivery_dropped'),
    pending: pending > MAX_COUNTED ? null : pending,
    oldestPendingAt: health?.oldest_at ?? null,
    activeEndpoints: health?.active ?? 0,
    failingEndpoints: health?.failing ?? 0,
    disabledEndpoints: health?.disabled ?? 0,
    series: steps.starts.map((at) => ({
      at,
      delivered: sheet.at('delivery_delivered', at),
      failed: sheet.at('delivery_failed', at),
      dropped: sheet.at('delivery_dropped', at),
    })),
  };
}
