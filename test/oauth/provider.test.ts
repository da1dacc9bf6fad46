import { expect } from 'chai';
import express from 'express';
import { decodeProtectedHeader } from 'jose';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { revokeSigningKey, rotateSigningKey } from '../../src/oauth/signingKeys.js';
import { authorizationAddress } from './authorizationAddress.js';
import { Browser } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, REDIRECT_URI } from './OauthHarness.js';
import { obtainTokens } from './obtainTokens.js';
import { listen } from '../support/listen.js';

describe('The authorization server', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());

  it('publishes its metadata', async () => {
    const { baseUrl } = harness;
    const metadata = {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      introspection_endpoint: `${baseUrl}/oauth/introspect`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
      jwks_uri: `${baseUrl}/oauth/jwks`,
      response_types_supported: ['code'],
      response_modes_supported: ['form_post', 'fragment', 'query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'email', ...ALL_SCOPES],
      claims_supported: ['sub', 'email', 'email_verified', 'sid', 'auth_time', 'iss'],
      claim_types_supported: ['normal'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
    };
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
      expect(await (await fetch(baseUrl + path)).json()).to.deep.equal(metadata);
    expect(await (await fetch(`${baseUrl}/.well-known/oauth-protected-resource`)).json()).to.deep.equal({
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: [...ALL_SCOPES],
      bearer_methods_supported: ['header'],
    });
  });

  it('sets signed cookies that are HttpOnly and SameSite=Lax', async () => {
    const answer = await fetch(harness.baseUrl + authorizationAddress(app), { redirect: 'manual' });
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((line) => line.split('=')[0])).to.deep.equal([
      'oauth_interaction',
      'oauth_interaction.sig',
      'oauth_resume',
      'oauth_resume.sig',
    ]);
    for (const line of cookies) expect(line).to.match(/; samesite=lax; httponly$/);
  });

  it('answers 404 on other routes of oidc-provider', async () => {
    for (const path of ['/oauth/end-session', '/session/end', '/oauth/par', '/request', '/me', '/reg'])
      expect((await fetch(harness.baseUrl + path)).status, path).to.equal(404);
  });

  it('requires redirect_uri even when the app has only one', async () => {
    const url = new URL(authorizationAddress(app), harness.baseUrl);
    url.searchParams.delete('redirect_uri');
    const page = await new Browser(harness.baseUrl).open(url.href);
    expect([page.status, page.away]).to.deep.equal([400, undefined]);
    expect(page.text).to.include('redirect_uri');
  });

  it('refuses a token request of a confidential client from a web page', async () => {
    const answer = await fetch(`${harness.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { origin: 'https://partner.example' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: app.appId,
        client_secret: app.secret,
      }),
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([400, null]);
  });

  it('sends redirects with Referrer-Policy no-referrer and nosniff', async () => {
    const { status, headers } = await fetch(harness.baseUrl + authorizationAddress(app), {
      redirect: 'manual',
    });
    expect(status).to.equal(303);
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('refuses NUL only below /oauth', async () => {
    const statusOf = async (path: string) => (await fetch(`${harness.baseUrl + path}?x=%00`)).status;
    expect(await statusOf('/oauth/jwks')).to.equal(400);
    expect(await statusOf('/.well-known/openid-configuration')).to.equal(200);
  });

  it('replaces revoked keys after a notice and signs with the new one', async () => {
    const kids = async (): Promise<string[]> => {
      const { keys } = (await (await fetch(`${harness.baseUrl}/oauth/jwks`)).json()) as {
        keys: { kid: string }[];
      };
      return keys.map(({ kid }) => kid);
    };
    const [old = ''] = await kids();
    const fresh = await revokeSigningKey(harness.node.services, old);
    let shown = await kids();
    while (shown.includes(old)) shown = await kids();
    expect(shown).to.deep.equal([fresh]);
    expect(decodeProtectedHeader(await harness.node.server.signJws('test+jwt', {})).kid).to.equal(fresh);
  });

  it('publishes new keys on reloadKeys', async () => {
    const jwks = async () => (await fetch(`${harness.baseUrl}/oauth/jwks`)).text();
    const kid = await rotateSigningKey(harness.node.services);
    expect(await jwks()).to.not.include(kid);
    await harness.node.server.reloadKeys();
    expect(await jwks()).to.include(kid);
  });

  it('answers a wrong secret with invalid_client in one challenge', async () => {
    const answer = await harness.post(
      '/oauth/token',
      { grant_type: 'client_credentials' },
      { ...app, secret: 'x' },
    );
    expect([answer.status, await errorOf(answer)]).to.deep.equal([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).to.match(/^Basic realm="[^"]+", error="invalid_client"/);
  });

  it('answers unauthorized_client only for a grant that the client may not use', async () => {
    const open = await harness.addApp({ clientType: 'public' });
    const ask = async (fields: string, by?: TestApp) => {
      const answer = await harness.post('/oauth/token', fields, by);
      return [answer.status, await errorOf(answer)];
    };
    const own = `client_id=${open.appId}`;
    const grant = 'grant_type=client_credentials';
    expect(await ask(`${own}&${grant}`)).to.deep.equal([400, 'unauthorized_client']);
    expect(await ask(`${own}&${grant}&client_secret=x`)).to.deep.equal([401, 'invalid_client']);
    expect(await ask(`${own}&grant_type=refresh_token`)).to.deep.equal([400, 'invalid_request']);
    expect(await ask(`${own}&grant_type=password`)).to.deep.equal([400, 'unsupported_grant_type']);
    expect(await ask(`${grant}&scope=a&scope=b`, app)).to.deep.equal([400, 'invalid_request']);
  });

  it('accepts the current and the previous secret of a client and no other', async () => {
    const [turning, other] = [await harness.addApp(), await harness.addApp()];
    await harness.sql(
      `UPDATE apps SET previous_secret_hash = $2, previous_secret_expires_at = now() + interval '1 hour'
        WHERE app_id = $1`,
      [turning.appId, hashSecretToken('the former one')],
    );
    const statuses: number[] = [];
    for (const secret of [turning.secret, 'the former one', other.secret])
      statuses.push(
        (await harness.post('/oauth/token', { grant_type: 'client_credentials' }, { ...turning, secret }))
          .status,
      );
    expect(statuses).to.deep.equal([200, 200, 401]);
  });

  it('accepts only redirect URIs of the app and of its own pages', async () => {
    const open = (uri: string) =>
      new Browser(harness.baseUrl).open(authorizationAddress(app, { redirect_uri: uri }));
    for (const uri of [REDIRECT_URI, `${harness.baseUrl}/graphiql/callback`])
      expect((await open(uri)).text, uri).to.include('type="password"');
    for (const uri of [`${REDIRECT_URI}/`, `${harness.baseUrl}/account`, 'https://evil.example/callback'])
      expect((await open(uri)).text, uri).to.include('invalid_redirect_uri');
  });

  it('serves an app with every mixture of redirect URIs that can be registered', async () => {
    const redirectUris = [
      'com.partner.app:/callback',
      'https://localhost:8443/callback',
      'http://127.0.0.1:8100/callback',
    ];
    const mixed = await harness.addApp({ redirectUris });
    expect(await harness.appToken(mixed)).to.match(/^[\w-]{43}$/);
    for (const uri of redirectUris) {
      const address = authorizationAddress(mixed, { redirect_uri: uri });
      const page = await new Browser(harness.baseUrl).open(address);
      expect(page.text, uri).to.include('type="password"');
    }
  });

  it('keeps an approval after the session in which it was given has ended', async () => {
    const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    await harness.sql(`DELETE FROM oauth_artifacts WHERE kind = 'Session'`);
    const answer = await harness.post('/oauth/token', fields, app);
    expect([answer.status, await answer.json()]).to.have.nested.property('[1].refresh_token');
  });

  async function errorOf(answer: Response): Promise<string> {
    return ((await answer.json()) as { error: string }).error;
  }

  it('logs an error with the request id when the page says only server_error', async () => {
    const { database, node } = harness;
    const { log } = node.services;
    const [read, tell] = [database.read.bind(database), log.error.bind(log)];
    const broken = new Error('relation does not exist');
    const logged: unknown[][] = [];
    log.error = (...line: unknown[]) => void logged.push(line);
    database.read = () => Promise.reject(broken);
    const { router } = harness.node.server;
    const service = await listen(
      express().use((_request, response, next) => {
        response.set('X-Request-Id', 'req_1');
        next();
      }, router),
    );
    const page = await new Browser(service.origin).open(authorizationAddress(app));
    await service.close();
    [database.read, log.error] = [read, tell];
    expect(page.status).to.equal(500);
    expect(page.text).to.include('server_error').and.not.include('relation');
    expect(logged).to.deep.equal([[{ err: broken, request_id: 'req_1' }, 'An OAuth request failed']]);
  });
});
