import type { RequestHandler, Router } from 'express';
import { ServiceError } from '../errors.js';
import { sendOauthError } from './sendOauthError.js';

/** Documents of the provider. */
export const METADATA = [
  '/oauth/jwks',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

/**
 * Answers other methods with 405 and `Allow`, in the error format of each endpoint (docs/contract.md#errors).
 */
export function refuseOtherMethods(router: Router): void {
  for (const path of ['/oauth/token', '/oauth/revoke']) router.all(path, inOauthShape('POST'));
  for (const path of ['/oauth/authorize', '/oauth/userinfo']) router.all(path, inOauthShape('GET, POST'));
  for (const path of [...METADATA, '/.well-known/oauth-protected-resource'])
    router.all(path, inHouseShape('GET', 'HEAD'));
  router.all('/oauth/introspect', inHouseShape('POST'));
}

function inOauthShape(allowed: string): RequestHandler {
  const refusal = { status: 405, error: 'invalid_request', description: `Only ${allowed} is allowed here.` };
  return (_request, response) => {
    response.set('Allow', allowed);
    sendOauthError(response, refusal);
  };
}

function inHouseShape(...allow: string[]): RequestHandler {
  const message = `Only ${allow.join(', ')} is allowed here.`;
  return (_request, _response, next) => next(new ServiceError('method_not_allowed', message, { allow }));
}
