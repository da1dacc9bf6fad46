import type { Request, Response } from 'express';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { gateDenials } from '../access/gateDenials.js';
import { primaryChanges } from '../database/hosts/primaryChanges.js';

/** The metrics of a registry, as data that can be sent to another thread or process. */
export type ToldMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Creates the registry of this thread's metrics. */
export function createRegistry(): Registry {
  const registry = new Registry();
  registry.registerMetric(gateDenials);
  registry.registerMetric(primaryChanges);
  return registry;
}

/** Serves the metrics of this process and of other threads and processes, added up where both have them. */
export function serveMetrics(metrics: Registry, otherMetrics?: () => Promise<ToldMetrics[]>) {
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
