import express from 'express';
import type { Request, Response } from 'express';
import { refuseMethod, refuseWith } from './unknownRoute.js';
import { identifyCaller, credentialsOf } from '../access/identifyCaller.js';
import { groupBy } from '../domain/groupBy.js';
import { ServiceError } from '../errors.js';
import type { Given, OperatorAction } from '../operators/OperatorAction.js';
import { operatorActions } from '../operators/operatorActions.js';
import { readGiven } from '../operators/readGiven.js';
import type { RequestServices } from '../Services.js';
import { describeFailure } from './describeFailure.js';
import { notesOf } from './requestNotes.js';

const KEY_REQUIRED = 'An administrative key is required.';

/** These routes accept no token. */
const NOBODY = {
  verify: () => Promise.resolve({ kind: 'anonymous', reason: KEY_REQUIRED } as const),
};

/**
 * Serves `/operator`: the actions of operators by HTTP, for callers with an administrative key
 * (docs/operations.md#operators).
 */
export function operatorRouter(services: RequestServices): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const action of operatorActions) {
    const method = action.method.toLowerCase() as 'get' | 'post' | 'delete';
    router[method](`/operator${action.path}`, (request, response) =>
      answer(services, action, request, response),
    );
  }
  for (const [path, actions] of groupBy(operatorActions, (action) => action.path)) {
    const methods = actions.map(({ method }) => method);
    router.all(`/operator${path}`, (_request, response) => refuseMethod(response, methods));
  }
  return router;
}

async function answer(
  services: RequestServices,
  action: OperatorAction,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    const credentials = credentialsOf(request);
    const caller = await identifyCaller(services.config, NOBODY, credentials);
    if (caller.kind !== 'admin')
      throw new ServiceError(
        'unauthenticated',
        credentials.adminKey === undefined ? KEY_REQUIRED : 'The administrative key is wrong.',
      );
    const given = readGiven(action, givenIn(request));
    const act = {
      operator: `key:${caller.key}`,
      via: 'request' as const,
      action: action.words,
      target: targetOf(given),
      requestId: notesOf(response).requestId,
    };
    const scope = { ...services, limits: services.config };
    const body = await services.operatorLog.recorded(act, () => action.run(scope, given));
    response.setHeader('Cache-Control', 'no-store');
    response.status(action.status ?? 200).json(body);
  } catch (error) {
    refuseWith(response, describeFailure(services.log, response, error));
  }
}

/** Reads the parameters of path and query. @throws ServiceError for a repeated parameter */
function givenIn({ params, query }: Request): Given {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...query, ...params })) {
    if (typeof value !== 'string')
      throw new ServiceError('invalid_request', `The parameter ${name} is repeated.`);
    given[name] = value;
  }
  return given;
}

function targetOf(given: Given): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
