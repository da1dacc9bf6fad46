import type { Request, Response } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Services } from '../Services.js';

/** Registry of this process's metrics. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Measures every answer by method, route and status; routes are patterns, so that ids never become labels. */
export function measureRequests(registry: Registry) {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers: [registry],
  });
  return (request: Request, response: Response, next: () => void): void => {
    const end = seconds.startTimer();
    response.once('finish', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? request.baseUrl;
      end({ method: request.method, route: route === '' ? 'other' : route, status: response.statusCode });
    });
    next();
  };
}

export function serveMetrics(services: Pick<Services, 'metrics'>) {
  return async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Content-Type', services.metrics.contentType);
    response.end(await services.metrics.metrics());
  };
}
