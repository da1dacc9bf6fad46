import { createServer } from 'node:http';
import express from 'express';
import { answerFailure } from '../http/answerFailure.js';
import { healthRouter } from '../http/healthRouter.js';
import { HttpListener } from '../http/HttpListener.js';
import type { Lifecycle } from '../http/Lifecycle.js';
import { operatorRouter } from '../http/operatorRouter.js';
import { beginNotes } from '../http/requestNotes.js';
import { unknownRoute } from '../http/unknownRoute.js';
import type { RequestServices } from '../Services.js';

/** Serves only health, metrics and operators' routes on a separate port, if one is configured. */
export async function openOperations(
  services: RequestServices,
  lifecycle: Lifecycle,
): Promise<HttpListener | undefined> {
  const { operationsPort, host } = services.config;
  if (operationsPort === undefined) return undefined;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const begin = beginNotes(services.config.baseUrl);
  app.use((request, response, next) => {
    begin(request, response);
    next();
  });
  app.use(healthRouter(services, lifecycle), operatorRouter(services), unknownRoute, answerFailure(services));
  return HttpListener.open(createServer(app), host, operationsPort);
}
