import { request } from 'node:http';
import { expect } from 'chai';
import * as client from 'openid-client';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';
import { obtainTokens } from './obtainTokens.js';

describe('Introspection and revocation', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());

  function configurationOf({ appId, secret }: TestApp): Promise<client.Configuration> {
    return client.discovery(new URL(harness.baseUrl), appId, secret, client.ClientSecretBasic(secret), {
      execute: [client.allowInsecureRequests],
      algorithm: 'oauth2',
    });
  }

  async function introspect(token: string, by: TestApp = app): Promise<Record<string, unknown>> {
    return (await harness.post('/oauth/introspect', { token }, by)).json() as Promise<
      Record<string, unknown>
    >;
  }

  it('describes a token of the app itself', async () => {
    const token = await harness.appToken(app, 'customers:read claims:read');
    const answer = await harness.post('/oauth/introspect', { token }, app);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const body = (await answer.json()) as { exp: number; iat: number };
    expect(body).to.deep.equal({
      active: true,
      scope: 'customers:read claims:read',
      client_id: app.appId,
      token_type: 'Bearer',
      exp: body.exp,
      iat: body.iat,
      sub: app.appId,
      aud: harness.baseUrl,
      iss: harness.baseUrl,
    });
    expect(body.exp - body.iat).to.equal(900);
  });

  it('describes the tokens of a person with the account and address', async () => {
    const { accountId, email, tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      expect(await introspect(token)).to.include({
        active: true,
        sub: accountId,
        username: email,
        client_id: app.appId,
      });
    }
    expect(await introspect(tokens.refresh_token ?? '')).to.not.have.property('token_type');
  });

  it('works with openid-client by Basic and with its defaults', async () => {
    const token = await harness.appToken(app, 'customers:read');
    const byDefault = await client.discovery(new URL(harness.baseUrl), app.appId, app.secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
    for (const configuration of [await configurationOf(app), byDefault])
      expect((await client.tokenIntrospection(configuration, token)).active).to.equal(true);
  });

  it('returns the subject to a token with openid, and the address to a token with email', async () => {
    const { accountId, email, tokens } = await obtainTokens(harness, app, 'openid customers:read');
    const configuration = await client.discovery(new URL(harness.baseUrl), app.appId, app.secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
    const ask = (token: string) => client.fetchUserInfo(configuration, token, accountId);
    expect(await ask(tokens.access_token)).to.deep.equal({ sub: accountId });
    expect(email).to.include('@');
    const more = await obtainTokens(harness, app, 'openid email customers:read');
    const told = await client.fetchUserInfo(configuration, more.tokens.access_token, more.accountId);
    expect(told).to.deep.equal({ sub: more.accountId, email: more.email, email_verified: true });
  });

  it('has openid and email in the scope, as the token response has them', async () => {
    const scope = 'openid email customers:read offline_access';
    const { tokens } = await obtainTokens(harness, app, scope);
    expect(tokens.scope).to.equal(scope);
    for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
      expect(await introspect(token)).to.include({ active: true, scope });
    const alone = await obtainTokens(harness, app, 'openid');
    expect(await introspect(alone.tokens.access_token)).to.include({ active: true, scope: 'openid' });
  });

  it('refuses userinfo to a token without openid, of an app or former member, or revoked', async () => {
    const userinfo = (token: string) =>
      fetch(`${harness.baseUrl}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    const plain = await obtainTokens(harness, app, 'customers:read');
    const refused = await userinfo(plain.tokens.access_token);
    expect(await refusalOf(refused)).to.deep.equal([
      403,
      'Bearer error="insufficient_scope", scope="openid"',
      { error: 'insufficient_scope' },
    ]);
    const left = await obtainTokens(harness, app, 'openid customers:read');
    await harness.sql('DELETE FROM app_members WHERE account_id = $1', [left.accountId]);
    const revoked = await obtainTokens(harness, app, 'openid customers:read');
    await harness.post('/oauth/revoke', { token: revoked.tokens.access_token }, app);
    for (const token of [
      left.tokens.access_token,
      revoked.tokens.access_token,
      await harness.appToken(app),
      'x',
    ])
      expect(await refusalOf(await userinfo(token))).to.deep.equal([
        401,
        'Bearer error="invalid_token"',
        { error: 'invalid_token' },
      ]);
  });

  it('reads the userinfo token only where RFC 6750 allows it', async () => {
    const { accountId, tokens } = await obtainTokens(harness, app, 'openid customers:read');
    const token = tokens.access_token;
    const ask = (authorization: string | undefined, method = 'GET') =>
      fetch(`${harness.baseUrl}/oauth/userinfo`, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });
    for (const authorization of [`Bearer ${token}`, `bearer   ${token}`])
      for (const method of ['GET', 'POST'])
        expect(await (await ask(authorization, method)).json()).to.deep.equal({ sub: accountId });
    for (const authorization of [undefined, `X Bearer ${token}`, `Bearer ${token} x`, `Basic ${token}`])
      for (const method of ['GET', 'POST'])
        expect(await refusalOf(await ask(authorization, method)), authorization).to.deep.equal([
          401,
          'Bearer',
          { error: 'invalid_request' },
        ]);
    expect(await statusOfGet('/oauth/userinfo', { access_token: token }), 'a GET has no form').to.equal(401);
  });

  /** `fetch` would send no body. */
  function statusOfGet(path: string, fields: Record<string, string>): Promise<number | undefined> {
    const form = new URLSearchParams(fields).toString();
    const type = 'application/x-www-form-urlencoded';
    const headers = { 'content-type': type, 'content-length': form.length };
    return new Promise((resolve, reject) => {
      const sent = request(harness.baseUrl + path, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once('error', reject).end(form);
    });
  }

  async function refusalOf(answer: Response): Promise<unknown[]> {
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    return [answer.status, answer.headers.get('www-authenticate'), await answer.json()];
  }

  it('accepts the userinfo token in a form but not in a query or JSON', async () => {
    const { accountId, tokens } = await obtainTokens(harness, app, 'openid customers:read');
    const fields = { access_token: tokens.access_token };
    const answer = await harness.post('/oauth/userinfo', fields);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(await answer.json()).to.deep.equal({ sub: accountId });
    const query = new URLSearchParams(fields).toString();
    expect((await fetch(`${harness.baseUrl}/oauth/userinfo?${query}`)).status).to.equal(401);
    const json = await fetch(`${harness.baseUrl}/oauth/userinfo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    expect(json.status).to.equal(401);
    const twice = await fetch(`${harness.baseUrl}/oauth/userinfo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
      body: new URLSearchParams(fields),
    });
    expect([twice.status, await twice.json()]).to.deep.equal([
      400,
      { error: 'invalid_request', error_description: 'A token is sent in one way only.' },
    ]);
  });

  it('reports nothing of an unknown, expired, revoked, used or foreign token', async () => {
    const other = await harness.addApp();
    const expired = await harness.appToken(app);
    await harness.sql(`UPDATE oauth_artifacts SET expires_at = now() WHERE id_hash = $1`, [
      hashSecretToken(expired),
    ]);
    const revoked = await harness.appToken(app);
    await harness.post('/oauth/revoke', { token: revoked }, app);
    const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    await client.refreshTokenGrant(await configurationOf(app), tokens.refresh_token ?? '');
    for (const token of [
      'nonsense',
      expired,
      revoked,
      tokens.refresh_token ?? '',
      await harness.appToken(other),
    ]) {
      expect(await introspect(token)).to.deep.equal({ active: false });
    }
  });

  it('returns the scopes that a token has now', async () => {
    const narrowed = await harness.addApp({
      allowedScopes: ['tokens:introspect', 'customers:read', 'claims:read'],
    });
    const token = await harness.appToken(narrowed, 'customers:read claims:read');
    await harness.sql(
      `UPDATE apps SET allowed_scopes = '{tokens:introspect,claims:read}' WHERE app_id = $1`,
      [narrowed.appId],
    );
    expect(await introspect(token, narrowed)).to.include({ active: true, scope: 'claims:read' });
  });

  it('reports nothing of a refresh token whose app or member may no longer have offline_access', async () => {
    const { accountId, tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    await harness.sql(`UPDATE app_members SET scopes = '{customers:read}' WHERE account_id = $1`, [
      accountId,
    ]);
    expect(await introspect(tokens.refresh_token ?? '')).to.deep.equal({ active: false });
    expect(await introspect(tokens.access_token)).to.include({ active: true, scope: 'customers:read' });
  });

  it('refuses an app without tokens:introspect', async () => {
    const plain = await harness.addApp({ allowedScopes: ['customers:read'] });
    const answer = await harness.post('/oauth/introspect', { token: 'x' }, plain);
    expect(answer.status).to.equal(403);
    expect(answer.headers.get('www-authenticate')).to.include(
      'error="insufficient_scope", scope="tokens:introspect"',
    );
    const message = "The app's allowed scopes do not include tokens:introspect.";
    const { error } = (await answer.json()) as { error: { details: object[] } };
    expect(error).to.include({ code: 'insufficient_scope', message });
    expect(error.details).to.have.length(1);
    expect(error.details[0]).to.include({ code: 'missing_scope', message });
  });

  it('answers a client that is not authenticated with a challenge', async () => {
    const publicApp = await harness.addApp({ clientType: 'public' });
    const inForm = { token: 'x', client_id: app.appId, client_secret: 'wrong' };
    const attempts = [
      await harness.post('/oauth/introspect', { token: 'x' }),
      await harness.post('/oauth/introspect', { token: 'x' }, { ...app, secret: 'wrong' }),
      await harness.post('/oauth/introspect', inForm),
      await harness.post('/oauth/introspect', { token: 'x' }, publicApp),
      await harness.post('/oauth/introspect', { token: 'x', client_id: publicApp.appId }),
      await postJson('/oauth/introspect'),
    ];
    for (const answer of attempts) {
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate')).to.match(/^Basic /);
      const { error } = (await answer.json()) as { error: Record<string, string> };
      expect(error).to.include({
        code: 'unauthenticated',
        message: 'The client is unknown, disabled, or its secret is wrong.',
      });
      expect(error).to.have.all.keys('code', 'message', 'request_id', 'documentation_url');
    }
  });

  it('requires a form with one token', async () => {
    const answer = await harness.post('/oauth/introspect', 'token=a&token=b', app);
    expect(answer.status).to.equal(400);
    expect((await bodyOf(answer)).error).to.include({
      code: 'invalid_request',
      message: 'The parameter token must be given once.',
    });
    const json = await postJson('/oauth/introspect', app);
    expect(json.status).to.equal(415);
    expect(json.headers.get('accept')).to.equal('application/x-www-form-urlencoded');
    expect((await bodyOf(json)).error).to.include({ code: 'unsupported_media_type', message: NOT_A_FORM });
  });

  it('refuses a form that is too long, and two ways of client authentication', async () => {
    const long = await harness.post('/oauth/introspect', { token: 'x'.repeat(60 * 1024) }, app);
    expect(long.status).to.equal(413);
    expect((await bodyOf(long)).error).to.include({ code: 'payload_too_large' });
    for (const [path, shown] of [
      ['/oauth/introspect', 'invalid_request'],
      ['/oauth/revoke', 'invalid_request'],
    ] as const) {
      const both = await harness.post(path, { token: 'x', client_secret: 'y' }, app);
      expect(both.status, path).to.equal(400);
      expect(JSON.stringify(await both.json()), path).to.include(shown);
    }
  });

  it('revokes an access token alone, and a refresh token with its family', async () => {
    const configuration = await configurationOf(app);
    const { tokens } = await obtainTokens(harness, app, 'customers:read offline_access');
    await client.tokenRevocation(configuration, tokens.access_token);
    expect(await introspect(tokens.access_token)).to.deep.equal({ active: false });
    const second = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    await client.tokenRevocation(configuration, second.refresh_token ?? '');
    for (const token of [second.access_token, second.refresh_token ?? '']) {
      expect(await introspect(token)).to.deep.equal({ active: false });
    }
  });

  it('answers 200 to the revocation of a token that does not exist', async () => {
    const answer = await harness.post('/oauth/revoke', { token: 'nonsense' }, app);
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).to.deep.equal([
      200,
      '',
      'no-store',
    ]);
  });

  it('does not revoke the token of another app', async () => {
    const token = await harness.appToken(app);
    const thief = await harness.addApp();
    expect((await harness.post('/oauth/revoke', { token }, thief)).status).to.equal(200);
    expect(await introspect(token)).to.include({ active: true });
  });

  it('lets a public client revoke by its id', async () => {
    const publicApp = await harness.addApp({ clientType: 'public' });
    const answer = await harness.post('/oauth/revoke', { token: 'x', client_id: publicApp.appId });
    expect(answer.status).to.equal(200);
  });

  it('refuses a revocation in the shape that OAuth clients parse', async () => {
    const plain = await harness.addApp({ allowedScopes: ['customers:read'] });
    const forbidden = await harness.post('/oauth/revoke', { token: 'x' }, plain);
    expect(forbidden.status).to.equal(403);
    expect(await forbidden.json()).to.deep.equal({
      error: 'insufficient_scope',
      error_description: "The app's allowed scopes do not include tokens:revoke.",
      scope: 'tokens:revoke',
    });
    expect(forbidden.headers.get('www-authenticate')).to.equal(
      'Basic realm="oauth", charset="UTF-8", error="insufficient_scope", scope="tokens:revoke"',
    );
    const stranger = await harness.post('/oauth/revoke', { token: 'x' }, { ...app, secret: 'wrong' });
    expect(stranger.status).to.equal(401);
    expect(await stranger.json()).to.deep.equal({
      error: 'invalid_client',
      error_description: 'client authentication failed',
    });
    expect(stranger.headers.get('www-authenticate')).to.match(/^Basic /);
    const invalid = async (answer: Response, description: string) => {
      expect(answer.status).to.equal(400);
      expect(await answer.json()).to.deep.equal({ error: 'invalid_request', error_description: description });
    };
    await invalid(await harness.post('/oauth/revoke', {}, app), 'The parameter token must be given once.');
    await invalid(await postJson('/oauth/revoke', app), NOT_A_FORM);
  });

  const NOT_A_FORM = 'The body must be application/x-www-form-urlencoded, of at most 56 KiB.';

  function postJson(path: string, by?: TestApp): Promise<Response> {
    const basic = by && { authorization: `Basic ${btoa(`${by.appId}:${by.secret}`)}` };
    return fetch(harness.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...basic },
      body: '{"token":"x"}',
    });
  }

  async function bodyOf(answer: Response): Promise<{ error: unknown }> {
    return (await answer.json()) as { error: unknown };
  }
});
