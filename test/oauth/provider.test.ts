import { expect } from 'chai';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { authorizationAddress } from './authorizationAddress.js';
import { Browser } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

describe('The authorization server', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());

  it('tells all that it can and nothing more', async () => {
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

  it('signs its cookies, and shows them to no script and no form of another site', async () => {
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

  it('knows no page of the provider of its own', async () => {
    for (const path of ['/oauth/end-session', '/session/end', '/oauth/par', '/request', '/me', '/reg'])
      expect((await fetch(harness.baseUrl + path)).status, path).to.equal(404);
  });

  it('wants the address to return to, where the app has only one, too', async () => {
    const url = new URL(authorizationAddress(app), harness.baseUrl);
    url.searchParams.delete('redirect_uri');
    const page = await new Browser(harness.baseUrl).open(url.href);
    expect([page.status, page.away]).to.deep.equal([400, undefined]);
    expect(page.text).to.include('redirect_uri');
  });

  it('lets no page read the tokens of a confidential client', async () => {
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

  it('logs what clients learn as server_error alone, by the request', async () => {
    const { database, node } = harness;
    const { log } = node.services;
    const [read, tell] = [database.read.bind(database), log.error.bind(log)];
    const broken = new Error('relation does not exist');
    const logged: unknown[][] = [];
    log.error = (...line: unknown[]) => void logged.push(line);
    database.read = () => Promise.reject(broken);
    const page = await new Browser(harness.baseUrl).open(authorizationAddress(app));
    [database.read, log.error] = [read, tell];
    expect(page.status).to.equal(500);
    expect(page.text).to.include('server_error').and.not.include('relation');
    expect(logged).to.deep.equal([[{ err: broken, request_id: undefined }, 'An OAuth request failed']]);
  });
});
