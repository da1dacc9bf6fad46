import type { Request, Response } from 'express';
import express from 'express';
import { latestMigration } from '../database/latestMigration.js';
import type { RequestServices, Services } from '../Services.js';
import { ServiceError } from '../errors.js';
import { refuseWith } from './unknownRoute.js';
import type { Lifecycle } from './Lifecycle.js';
import { serveMetrics } from './metrics.js';

const MIGRATED = { name: 'migrated', text: 'SELECT 1 FROM schema_migrations WHERE name = $1' };

/**
 * Serves `/healthz` (the process is up), `/readyz` (database reachable, migrations current, not shutting
 * down) and `/metrics` (Prometheus).
 */
export function healthRouter(services: RequestServices, lifecycle: Lifecycle): express.Router {
  // A proxy hides exactly these paths: `/METRICS` and `/metrics/` are none of them.
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => answer(response, 200, { status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const problem = lifecycle.draining ? 'the process is on its way out' : await findProblem(services);
    if (problem !== undefined) response.setHeader('Retry-After', '1');
    answer(
      response,
      problem === undefined ? 200 : 503,
      problem === undefined ? { status: 'ready' } : { status: 'not_ready', problem },
    );
  });
  router.get('/metrics', serveMetrics(services.metrics, services.otherMetrics));
  for (const path of ['/healthz', '/readyz', '/metrics']) router.all(path, refuseWrite);
  return router;
}

function refuseWrite(_request: Request, response: Response): void {
  refuseWith(
    response,
    new ServiceError('method_not_allowed', 'This path is only read.', { allow: ['GET', 'HEAD'] }),
  );
}

async function findProblem({ database, log }: Services): Promise<string | undefined> {
  try {
    const rows = await database.read(MIGRATED, [latestMigration()]);
    return rows.length > 0 ? undefined : 'the database lacks migrations';
  } catch (error) {
    log.warn({ err: error }, 'not ready');
    return 'the database cannot be reached';
  }
}

function answer(response: Response, status: number, body: object): void {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).json(body);
}
