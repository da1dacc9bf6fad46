import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { WORKFLOW_TYPES } from '../domain/workflows.js';
import type { Services } from '../Services.js';
import { forEachApp } from './forEachApp.js';

/** Deliveries that failed are the receiver's affair, and have metrics of their own. */
const TYPES = WORKFLOW_TYPES.filter((type) => type !== 'webhook_delivery');

/**
 * The failed workflows of an app whose work is still to be done: nothing is left of a customer that was
 * erased. The subquery reads one customer by its key, where EXISTS might read all of the app.
 */
const FAILED = {
  name: 'failed_workflows',
  text: `SELECT w.type, count(*) AS failed FROM workflows w
          WHERE w.app_id = $1 AND w.type = ANY ($2) AND w.status = 'failed'
            AND (w.subject ->> 'customer_id' IS NULL
              OR (SELECT h.customer_id FROM customer_heads h
                   WHERE h.app_id = $1 AND h.customer_id = w.subject ->> 'customer_id') IS NOT NULL)
          GROUP BY w.type`,
};

/**
 * Registers the metric of failed workflows.
 *
 * @returns what counts them. When an app cannot be read, it fails and the metric keeps its values.
 */
export function countFailedWorkflows(
  registry: Registry,
): (services: Pick<Services, 'database'>) => Promise<false> {
  const gauge = new Gauge({
    name: 'workflows_failed',
    help: 'Workflows that failed and wait for an operator, at the last count',
    labelNames: ['type'],
    registers: [registry],
  });
  return async ({ database }) => {
    const counts = new Map<string, number>(TYPES.map((type) => [type, 0]));
    await forEachApp(database, async (appId) => {
      const rows = await database.readAs<{ type: string; failed: number }>(appId, FAILED, [appId, TYPES]);
      for (const { type, failed } of rows) counts.set(type, (counts.get(type) ?? 0) + failed);
      return false;
    });
    for (const [type, count] of counts) gauge.set({ type }, count);
    return false;
  };
}
