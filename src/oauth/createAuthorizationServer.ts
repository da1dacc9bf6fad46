import type { Request, Response } from 'express';
import express from 'express';
import { createProvider } from './createProvider.js';
import type { OauthServices } from './OauthServices.js';
import { loadSigningKeys, signJws } from './signingKeys.js';
import { TokenVerifier } from './TokenVerifier.js';

export interface AuthorizationServer {
  /** Everything under `/oauth` and `/.well-known`; no body parser may stand before it. */
  router: express.Router;
  verifier: TokenVerifier;
  /** Signs with the service's key (ES256): a compact JWS, verifiable from `/oauth/jwks`. */
  signJws: (payload: object) => Promise<string>;
  close: () => Promise<void>;
}

/** The service as an OAuth 2.1 authorization server (decisions 8). */
export async function createAuthorizationServer(services: OauthServices): Promise<AuthorizationServer> {
  const keys = await loadSigningKeys(services);
  const provider = createProvider(services, keys);
  const handle = provider.callback();
  const secure = services.config.baseUrl.startsWith('https:');
  const toProvider = async (request: Request, response: Response): Promise<void> => {
    // The address that people use decides, not the hop to a proxy: behind one, cookies must still be Secure.
    if (secure) request.headers['x-forwarded-proto'] = 'https';
    await handle(request, response);
  };
  provider.proxy = secure;
  const router = express.Router();
  router.all(PROVIDER_PATHS, toProvider);
  const verifier = new TokenVerifier(services);
  await verifier.start();
  return { router, verifier, signJws: (payload) => signJws(keys, payload), close: () => verifier.close() };
}

const PROVIDER_PATHS = [
  '/oauth/authorize',
  '/oauth/authorize/:uid',
  '/oauth/token',
  '/oauth/jwks',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];
