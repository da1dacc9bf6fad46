import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { Provider } from 'oidc-provider';
import { isPreflight } from '../http/crossOrigin.js';
import { answerOauthFailures } from './answerOauthFailures.js';
import { createProvider } from './createProvider.js';
import { interactionRouter } from './interactionRouter.js';
import type { AccountServices, AuthorizationServices } from '../accounts/AccountServices.js';
import { authorizeByGet, prepareAuthorization } from './prepareAuthorization.js';
import { protectedResourceMetadata } from './protectedResourceMetadata.js';
import { METADATA, refuseOtherMethods } from './refuseOtherMethods.js';
import { refuseUnstorableRequest } from './refuseUnstorableRequest.js';
import { signJws } from './signingKeys.js';
import { TokenVerifier } from './TokenVerifier.js';
import { tokenRouter } from './tokenRouter.js';
import { TurningKeys } from './TurningKeys.js';
import { userinfoRouter } from './userinfoRouter.js';
import { upstreamRouter } from './upstreamRouter.js';

export interface AuthorizationServer {
  /** Everything under `/oauth` and `/.well-known`. Mount it before any body parser. */
  router: express.Router;
  verifier: TokenVerifier;
  /** Signs with the service's key: a compact JWS of this `typ` (ES256), verifiable with `/oauth/jwks`. */
  signJws: (typ: string, payload: object) => Promise<string>;
  /** Loads new keys. This also happens automatically every minute. */
  reloadKeys: () => Promise<void>;
  /** Ends the reading of keys. */
  stop: () => void;
}

/** The service as an OAuth 2.1 authorization server (docs/contract.md#authentication). */
export async function createAuthorizationServer(
  services: AuthorizationServices,
): Promise<AuthorizationServer> {
  // The provider keeps all its state in the database, so it can be replaced by one with other keys at any
  // time.
  let inner: express.Router | undefined;
  const keys = await TurningKeys.load(services, (turned) => {
    const provider = createProvider(services, turned);
    inner = routerOf(services, provider, providerHandler(services, provider));
  });
  const router = express.Router();
  router.use((request, response, next) => inner?.(request, response, next));
  return {
    router,
    verifier: new TokenVerifier(services),
    signJws: (typ, payload) => signJws(keys.current, typ, payload),
    reloadKeys: () => keys.reload(),
    stop: () => keys.stop(),
  };
}

function routerOf(services: AccountServices, provider: Provider, pass: ProviderHandler): express.Router {
  const router = express.Router();
  router.use('/oauth', refuseUnstorableRequest);
  // Each path is a route of its own, as its pattern is the route of its requests in the metrics.
  for (const path of ['/oauth/authorize', '/oauth/authorize/:uid'])
    router.get(path, prepareAuthorization(services, provider), pass);
  router.post('/oauth/authorize', authorizeByGet);
  for (const path of METADATA) router.get(path, pass);
  // Preflights of public clients that run in a browser. The provider knows their origins.
  router.options('/oauth/token', (request, response, next) =>
    isPreflight(request) ? pass(request, response) : next(),
  );
  const others = express.Router();
  refuseOtherMethods(others);
  // The routers below would answer OPTIONS themselves.
  router.use((request, response, next) =>
    request.method === 'OPTIONS' ? others(request, response, next) : next(),
  );
  router.get('/.well-known/oauth-protected-resource', protectedResourceMetadata(services.config));
  router.use(
    tokenRouter(services, pass),
    userinfoRouter(services),
    interactionRouter(services, provider),
    // Withdrawals need a sign-in, so it uses the reserved connections.
    upstreamRouter({ ...services, database: services.database.urgent }),
  );
  router.use(others, answerOauthFailures(services));
  return router;
}

type ProviderHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function providerHandler(services: AccountServices, provider: Provider): ProviderHandler {
  const handle = provider.callback();
  const { protocol, host } = new URL(services.config.baseUrl);
  provider.proxy = true;
  return async (request, response) => {
    // The public base URL decides, not the proxy's connection and not the Host header: behind a proxy,
    // cookies must still be Secure, and the endpoints in the metadata must be this service's.
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.headers['x-forwarded-host'] = host;
    await handle(request, response);
  };
}
