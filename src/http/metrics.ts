import type { Request, Response } from 'express';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { gateDenials } from '../access/gateDenials.js';
import { groupedWrites, writeGroups } from '../access/groupMetrics.js';
import { primaryChanges } from '../database/hosts/primaryChanges.js';
import type { RequestServices } from '../Services.js';

/** What a registry tells, as data that may be sent to another thread or process. */
export type ToldMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Registry of this thread's metrics. */
export function createRegistry(): Registry {
  const registry = new Registry();
  registry.registerMetric(gateDenials);
  registry.registerMetric(groupedWrites);
  registry.registerMetric(writeGroups);
  registry.registerMetric(primaryChanges);
  return registry;
}

/** Metrics of this process and of what works beside it: counted together where both count. */
export function serveMetrics({ metrics, otherMetrics }: Pick<RequestServices, 'metrics' | 'otherMetrics'>) {
  return async (_request: Request, response: Response): Promise<void> => {
    const others = (await otherMetrics?.()) ?? [];
    const told =
      others.length === 0
        ? metrics
        : AggregatorRegistry.aggregate([await metrics.getMetricsAsJSON(), ...others]);
    response.setHeader('Content-Type', metrics.contentType);
    response.end(await told.metrics());
  };
}
