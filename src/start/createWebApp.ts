import express from 'express';
import { createBridge } from '../../rest-bridge/createBridge.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { createApolloServer } from '../graphql/createApolloServer.js';
import { graphqlDoor } from '../graphql/graphqlDoor.js';
import type { GraphqlParts } from '../graphql/graphqlDoor.js';
import { OperationMetrics } from '../graphql/OperationMetrics.js';
import { answerFailure } from '../http/answerFailure.js';
import { forgetForwardedPorts } from '../http/forgetForwardedPorts.js';
import type { DirectHandler } from '../http/frontDoor.js';
import { healthRouter } from '../http/healthRouter.js';
import type { Lifecycle } from '../http/Lifecycle.js';
import { operatorRouter } from '../http/operatorRouter.js';
import { unknownRoute } from '../http/unknownRoute.js';
import type { AuthorizationServer } from '../oauth/createAuthorizationServer.js';
import { pagesRouter } from '../pages/pagesRouter.js';

interface WebAppParts extends Omit<GraphqlParts, 'verifier' | 'apollo' | 'metrics'> {
  authorization: AuthorizationServer;
  lifecycle: Lifecycle;
}

/** The doors that read requests themselves, and the Express app of the rest. */
export async function createWebApp({
  authorization,
  lifecycle,
  ...parts
}: WebAppParts): Promise<{ app: express.Express; direct: DirectHandler[]; stop: () => Promise<void> }> {
  const { services, documents } = parts;
  const { verifier } = authorization;
  const apollo = createApolloServer(services, documents);
  await apollo.start();
  const bridge = createBridge(services, verifier, documents.compiler, allRoutes);
  const direct =
    services.config.role === 'worker'
      ? []
      : [
          bridge,
          graphqlDoor({ ...parts, verifier, apollo, metrics: new OperationMetrics(services.metrics) }),
        ];
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('trust proxy', services.config.trustedProxies);
  app.use(forgetForwardedPorts);
  if (services.config.operationsPort === undefined)
    app.use(healthRouter(services, lifecycle), operatorRouter(services));
  if (services.config.role !== 'worker') {
    app.use(authorization.router);
    app.use(pagesRouter(services));
  }
  app.use(unknownRoute);
  app.use(answerFailure(services));
  return { app, direct, stop: () => apollo.stop() };
}
