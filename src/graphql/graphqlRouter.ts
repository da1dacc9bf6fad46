import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { errorHeaders } from '../../rest-bridge/errorResponse.js';
import type { Caller } from '../access/Caller.js';
import { createContext } from '../access/createContext.js';
import { describeError, isOurFault } from '../access/describeError.js';
import { identifyCaller } from '../access/identifyCaller.js';
import type { BearerVerifier } from '../access/identifyCaller.js';
import type { RequestContext } from '../access/RequestContext.js';
import { ServiceError } from '../errors.js';
import type { Services } from '../Services.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { credentialsOf } from '../http/credentialsOf.js';
import { requestIdOf } from '../http/requestId.js';
import { answerKnown } from './answerKnown.js';
import { answerWithRequestId } from './answerWithRequestId.js';
import { createApolloServer } from './createApolloServer.js';

const BODY_LIMIT = 4 * 1024 * 1024;

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
    express.json({ limit: BODY_LIMIT }),
    answerKnown(services, operations),
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

function handle(services: Services, server: ApolloServer<RequestContext>): express.RequestHandler {
  return expressMiddleware(server, {
    context: ({ res }) => {
      const { caller } = res.locals as Locals;
      return Promise.resolve(createContext(services, caller, requestIdOf(res)));
    },
  });
}

/** A refusal before GraphQL began, in the shape its clients parse. */
function refuse(response: Response, error: ServiceError): void {
  const requestId = requestIdOf(response);
  const extensions = { code: error.code.toUpperCase(), status: error.status, requestId };
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.status(error.status).json({ errors: [{ message: error.message, extensions }] });
}

function refuseOtherMediaTypes(request: Request, response: Response, next: NextFunction): void {
  const [type = ''] = (request.get('content-type') ?? '').split(';');
  if (request.method !== 'POST' || type.trim().toLowerCase() === 'application/json') return next();
  refuse(response, new ServiceError('unsupported_media_type', 'The body must be application/json.'));
}

/** What fails before GraphQL begins: a body that cannot be read, or a credential that cannot be verified just now. */
function refuseUnreadable(services: Services) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const described = problemOfBody(error) ?? describeError(error);
    const requestId = response.getHeader('X-Request-Id');
    if (isOurFault(described)) services.log.error({ err: error, request_id: requestId }, 'request failed');
    refuse(response, described);
  };
}

function problemOfBody(error: unknown): ServiceError | undefined {
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large')
    return new ServiceError('payload_too_large', `The body must not be larger than ${BODY_LIMIT} bytes.`);
  if (/^(charset|encoding)\.unsupported$/.test(type))
    return new ServiceError('unsupported_media_type', 'The body must be JSON in UTF-8.');
  return type === '' ? undefined : new ServiceError('invalid_request', 'The body is not valid JSON.');
}
