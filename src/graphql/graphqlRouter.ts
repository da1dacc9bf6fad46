import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import type { Caller } from '../access/Caller.js';
import { createContext } from '../access/createContext.js';
import { identifyAgain } from '../access/identifyAgain.js';
import { identifyCaller } from '../access/identifyCaller.js';
import type { BearerVerifier } from '../access/identifyCaller.js';
import type { RequestContext } from '../access/RequestContext.js';
import { ServiceError } from '../errors.js';
import type { Services } from '../Services.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { credentialsOf } from '../http/credentialsOf.js';
import { refuseAnnounced } from '../http/refuseAnnounced.js';
import { requestIdOf } from '../http/requestId.js';
import { answerWithRequestId } from './answerWithRequestId.js';
import { createApolloServer } from './createApolloServer.js';
import { refuse } from './refuse.js';
import { BODY_LIMIT, refuseUnreadable } from './refuseUnreadable.js';
import { requireTrusted } from './requireTrusted.js';

/** `/graphql`: Apollo Server on the guarded schema. */
export async function graphqlRouter(
  services: Services,
  verifier: BearerVerifier,
  operations: KnownOperations,
): Promise<{ router: express.Router; stop: () => Promise<void> }> {
  const server = createApolloServer(services, operations);
  await server.start();
  const router = express.Router();
  router.use(
    '/graphql',
    identify(services, verifier),
    answerWithRequestId,
    refuseOtherMediaTypes,
    readBody(services, verifier),
    ...(services.config.trustedDocumentsOnly ? [requireTrusted(operations)] : []),
    handle(services, server),
    refuseUnreadable(services),
  );
  return { router, stop: () => server.stop() };
}

interface Locals extends Record<string, unknown> {
  caller: Caller;
}

/** Outside development a token is needed for anything; in development for anything but introspection. */
function identify(services: Services, verifier: BearerVerifier) {
  return async (request: Request, response: Response<unknown, Locals>, next: NextFunction): Promise<void> => {
    const credentials = credentialsOf(request);
    const caller = await identifyCaller(services.config, verifier, credentials);
    const sentOne = credentials.authorization !== undefined || credentials.adminKey !== undefined;
    if (caller.kind === 'anonymous' && (sentOne || services.config.environment === 'production')) {
      return refuse(response, new ServiceError('unauthenticated', caller.reason));
    }
    response.locals.caller = caller;
    next();
  };
}

/** What cannot be read, or no longer counts, is for `refuseUnreadable`. */
function readBody(services: Services, verifier: BearerVerifier) {
  const read = express.json({ limit: BODY_LIMIT });
  return async (request: Request, response: Response<unknown, Locals>, next: NextFunction): Promise<void> => {
    const { locals } = response;
    const startedAt = performance.now();
    refuseAnnounced(request, BODY_LIMIT);
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    locals.caller = await identifyAgain(startedAt, locals.caller, () =>
      identifyCaller(services.config, verifier, credentialsOf(request)),
    );
    next();
  };
}

function handle(services: Services, server: ApolloServer<RequestContext>): express.RequestHandler {
  return expressMiddleware(server, {
    context: ({ res }) => {
      const { caller } = res.locals as Locals;
      return Promise.resolve(createContext(services, caller, requestIdOf(res)));
    },
  });
}

function refuseOtherMediaTypes(request: Request, response: Response, next: NextFunction): void {
  const [type = ''] = (request.get('content-type') ?? '').split(';');
  if (request.method !== 'POST' || type.trim().toLowerCase() === 'application/json') return next();
  refuse(response, new ServiceError('unsupported_media_type', 'The body must be application/json.'));
}
