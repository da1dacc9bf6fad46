import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { gateDenials } from '../access/gateDenials.js';
import { groupedWrites, writeGroups } from '../access/groupMetrics.js';
import { primaryChanges } from '../database/hosts/primaryChanges.js';
import type { RequestServices } from '../Services.js';
import type { Preparation } from './frontDoor.js';
import type { RequestLog } from './RequestLog.js';
import { notesOf } from './requestNotes.js';

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

interface Routed extends IncomingMessage {
  /** Pattern of the route that answers. */
  routePath?: string;
  route?: { path?: string };
  baseUrl?: string;
}

/** Names the route under which a request is measured: a pattern, so that ids never become labels. */
export function labelRoute(request: IncomingMessage, path: string): void {
  (request as Routed).routePath = path;
}

/** The route under which a request is measured; `other` where none answered. */
export function routeOf(request: IncomingMessage): string {
  const { routePath, route, baseUrl = '' } = request as Routed;
  const path = routePath ?? route?.path ?? baseUrl;
  return path === '' ? 'other' : path;
}

/** Measures every answer by method, route and status, and has it recorded. */
export function measureRequests(registry: Registry, requests: RequestLog): Preparation {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers: [registry],
  });
  // Looking up a series by its labels costs more than counting, so each is looked up once.
  const series = new Map<string, { observe: (value: number) => void }>();
  const seriesOf = (method: string, route: string, status: number): { observe: (value: number) => void } => {
    const key = `${method} ${status} ${route}`;
    const known = series.get(key) ?? seconds.labels({ method, route, status });
    series.set(key, known);
    return known;
  };
  return (request, response) => {
    const start = performance.now();
    response.on('finish', () => {
      const { method = '' } = request;
      const label = routeOf(request);
      const { statusCode: status } = response;
      const durationMs = performance.now() - start;
      seriesOf(method, label, status).observe(durationMs / 1000);
      requests.record({
        notes: notesOf(response),
        method,
        route: label,
        status,
        durationMs,
      });
    });
  };
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
