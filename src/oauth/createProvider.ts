import type { Account, Adapter, Configuration, Interaction, KoaContextWithOIDC } from 'oidc-provider';
import { oauthReader } from './oauthReader.js';
import { Provider, errors } from './oidcProvider.js';
import { equalInConstantTime } from '../domain/SecretBox.js';
import { ALL_SCOPES } from '../domain/scopes.js';
import { APPROVALS_COOKIE } from './accountSession.js';
import { ArtifactAdapter } from './ArtifactAdapter.js';
import { copyEarlierGrant } from './copyEarlierGrant.js';
import { findClient } from './findClient.js';
import { isFirstPartySecret } from './firstPartyClient.js';
import { firstPartyPageOf } from './firstPartyPages.js';
import { hashSecretToken } from '../domain/secretToken.js';
import { IDENTITY_SCOPES } from './identityScopes.js';
import { interactionPolicyOf, refuseUnrequestable } from './interactionPolicy.js';
import { limitInteractions } from './limitInteractions.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { presentScope, reachOf } from './reach.js';
import { readMemberScopes } from './readMemberScopes.js';
import { renderAuthorizationError } from './renderAuthorizationError.js';
import { BASIC_CHALLENGE, EXPOSED_HEADERS } from './sendOauthError.js';
import type { SigningKeys } from './signingKeys.js';

/** oidc-provider with the storage, clients, accounts and rules of docs/contract.md#authentication. */
export function createProvider(services: AccountServices, keys: SigningKeys): Provider {
  const provider = new Provider(services.config.baseUrl, configurationOf(services, keys));
  compareSecretsByHash(provider, services);
  acceptRegisteredRedirectUris(provider);
  matchRedirectUrisExactly(provider, services);
  acceptOnlyIdTokensAsHint(provider);
  narrowScopesWhenIssued(provider, services);
  limitInteractions(provider, services);
  challengeOnEvery401(provider);
  tellUnauthorizedClients(provider);
  exposeHeaders(provider);
  nameLanguage(provider);
  reportFailures(provider, services);
  return provider;
}

function configurationOf(services: AccountServices, keys: SigningKeys): Configuration {
  return {
    adapter: adapterOf(services),
    jwks: { keys: keys.jwks },
    cookies: cookiesOf(keys),
    scopes: [...IDENTITY_SCOPES, ...ALL_SCOPES],
    claims: { email: ['email', 'email_verified'] },
    discovery: discoveryOf(services.config),
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // A public client that runs in a browser may exchange its code from the origin of its redirect URI. The
    // origin `null` is refused: sandboxed frames send it, and custom schemes have it.
    clientBasedCORS: (_ctx, origin, client) =>
      origin !== 'null' &&
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
    expiresWithSession: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    features: FEATURES,
    routes: ROUTES,
    ttl: TTL,
    findAccount: (ctx, accountId) => findMember(services, ctx, accountId),
    loadExistingGrant: copyEarlierGrant(services.config),
    renderError: renderAuthorizationError,
    interactions: {
      policy: interactionPolicyOf(services),
      url: (_ctx, interaction: Interaction) => `/oauth/interaction/${interaction.uid}`,
    },
  };
}

/** Metadata of endpoints that this service answers instead of the provider. */
function discoveryOf({ baseUrl }: AccountServices['config']): Configuration['discovery'] {
  return {
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  };
}

const FEATURES: Configuration['features'] = {
  clientCredentials: { enabled: true },
  introspection: { enabled: true },
  revocation: { enabled: true },
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
};

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  end_session: '/oauth/end-session',
};

const TTL = {
  AccessToken: LIFETIMES.accessToken,
  ClientCredentials: LIFETIMES.accessToken,
  AuthorizationCode: LIFETIMES.code,
  RefreshToken: LIFETIMES.refreshToken,
  IdToken: LIFETIMES.idToken,
  Interaction: LIFETIMES.interaction,
  Session: LIFETIMES.session,
  Grant: LIFETIMES.grant,
};

function cookiesOf(keys: SigningKeys): Configuration['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    keys: keys.cookieKeys,
    names: { session: APPROVALS_COOKIE, interaction: 'oauth_interaction', resume: 'oauth_resume' },
    long: options,
    short: options,
  };
}

function adapterOf(services: AccountServices): (kind: string) => Adapter {
  const [database, { secrets }] = [oauthReader(services.database), services];
  return (kind) => {
    const artifacts = new ArtifactAdapter(kind, database, secrets);
    if (kind === 'Client') artifacts.find = (clientId) => findClient(database, clientId, services.clock());
    return artifacts;
  };
}

/**
 * Codes and refresh tokens work only while their account is a member of the app; refresh tokens only while
 * both may have `offline_access`. The interaction policy decides who may approve a request.
 */
async function findMember(
  services: AccountServices,
  ctx: KoaContextWithOIDC,
  accountId: string,
): Promise<Account | undefined> {
  const account = { accountId, claims: () => ({ sub: accountId }) };
  if (ctx.oidc.route !== 'token') return account;
  const scopes = await readMemberScopes(
    oauthReader(services.database),
    ctx.oidc.client?.clientId ?? '',
    accountId,
  );
  if (scopes === undefined) return undefined;
  const isRefresh = ctx.oidc.params?.['grant_type'] === 'refresh_token';
  const mayStay = reachOf(OFFLINE, appScopesOf(ctx.oidc.client?.scope), scopes).length > 0;
  return isRefresh && !mayStay ? undefined : account;
}

/**
 * Only the SHA-256 of an app's secrets is stored. This service's own pages have a secret that only its nodes
 * can compute.
 */
function compareSecretsByHash(provider: Provider, { secrets }: AccountServices): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(actual: string): boolean {
    if (isFirstPartySecret(secrets, this.clientId, actual)) return true;
    const hashes = this.clientSecret?.split(' ') ?? [];
    return hashes.some((hash) => equalInConstantTime(hashSecretToken(actual), hash));
  };
}

/**
 * Redirect URIs are checked when an app registers them (`redirectUriProblem`). oidc-provider would refuse
 * every request of an app with a native scheme that also has https on loopback.
 */
function acceptRegisteredRedirectUris(provider: Provider): void {
  const { Schema } = provider.Client as unknown as { Schema: { prototype: { redirectUris: () => void } } };
  Schema.prototype.redirectUris = () => undefined;
}

/**
 * oidc-provider would accept any loopback port for native clients. The callbacks of this service's own pages
 * are allowed for every app.
 */
function matchRedirectUrisExactly(provider: Provider, { config }: AccountServices): void {
  provider.Client.prototype.redirectUriAllowed = function redirectUriAllowed(uri: string): boolean {
    if (firstPartyPageOf(config.baseUrl, uri) !== undefined) return true;
    return this.redirectUris?.includes(uri) ?? false;
  };
}

/**
 * The key that signs ID tokens also signs consent receipts, with the same issuer and audience. Their subject
 * is a customer, and they have a `typ`, which old ones lack.
 */
function acceptOnlyIdTokensAsHint(provider: Provider): void {
  const { IdToken } = provider;
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (jwt, client) => {
    const valid = await validate(jwt, client);
    const [typ = 'JWT', subject] = [valid.header['typ'], String(valid.payload['sub'])];
    if (typ !== 'JWT' || !subject.startsWith('acc_')) throw new Error('This is no ID token.');
    return valid;
  };
}

/**
 * Removes the scopes that the app or member has lost since the grant from a new token, so that the token
 * response is correct. Each use of the token checks them again.
 */
function narrowScopesWhenIssued(provider: Provider, services: AccountServices): void {
  const saveAccessToken = provider.AccessToken.prototype.save;
  provider.AccessToken.prototype.save = async function save() {
    const members = await readMemberScopes(
      oauthReader(services.database),
      this.clientId ?? '',
      this.accountId,
    );
    this.scope = presentScope(this.scope ?? null, appScopesOf(this.client?.scope), members ?? []);
    return saveAccessToken.call(this);
  };
  const saveClientCredentials = provider.ClientCredentials.prototype.save;
  provider.ClientCredentials.prototype.save = async function save() {
    const allowed = appScopesOf(this.client?.scope);
    refuseUnrequestable(requestedScope());
    this.scope = presentScope(this.scope ?? allowed.join(' '), allowed.filter(isForApps), null);
    if (this.scope === '' && requestedScope() !== '')
      throw new errors.InvalidScope('requested scope needs a person', requestedScope());
    return saveClientCredentials.call(this);
  };
}

function appScopesOf(scope: string | undefined): string[] {
  return scope?.split(' ') ?? [];
}

/**
 * oidc-provider sends a challenge only to clients that tried Basic; docs/contract.md#headers requires it on
 * every 401.
 */
function challengeOnEvery401(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 401 && !ctx.response.get('WWW-Authenticate'))
      ctx.set('WWW-Authenticate', BASIC_CHALLENGE);
  });
}

/**
 * A grant type that this client may not use is `unauthorized_client` (RFC 6749, 5.2); oidc-provider answers
 * `invalid_request`. Every client may use the other grant types.
 */
function tellUnauthorizedClients(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { error?: string } | undefined;
    if (body?.error !== 'invalid_request' || ctx.oidc.params?.['grant_type'] !== FOR_APPS) return;
    if (ctx.oidc.client?.grantTypeAllowed(FOR_APPS) === false) body.error = 'unauthorized_client';
  });
}

/** oidc-provider would expose only the challenge to the pages that may read an answer. */
function exposeHeaders(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const isReadable = ctx.response.get('Access-Control-Allow-Origin') !== '';
    if (ctx.oidc?.route === 'token' && isReadable) ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  });
}

/** The page of `response_mode=form_post` is in English, and does not say so. */
function nameLanguage(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (typeof ctx.body === 'string') ctx.body = ctx.body.replace('<html>', '<html lang="en">');
  });
}

const FOR_APPS = 'client_credentials';

/** The scope of refresh tokens. */
const OFFLINE = 'offline_access';

/** Logs failures that clients see only as `server_error`. */
function reportFailures(provider: Provider, { log }: AccountServices): void {
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error, request_id: ctx.res.getHeader('X-Request-Id') }, 'An OAuth request failed');
  });
}

/** A token without a person cannot be refreshed. */
function isForApps(scope: string): boolean {
  return scope !== OFFLINE;
}

/** The `scope` parameter as the client wrote it. */
function requestedScope(): string {
  const scope = Provider.ctx?.oidc.body?.['scope'];
  return typeof scope === 'string' ? scope : '';
}
