import { request } from 'node:http';
import { expect } from 'chai';
import * as client from 'openid-client';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

describe('Token endpoint', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp({ allowedScopes: ['customers:read', 'claims:read', 'offline_access'] });
  });
  after(() => harness.close());

  it('gives a confidential client a token of its own, found by discovery', async () => {
    const configuration = await client.discovery(new URL(harness.baseUrl), app.appId, app.secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
    const tokens = await client.clientCredentialsGrant(configuration, { scope: 'customers:read' });
    expect(tokens).to.include({ scope: 'customers:read', expires_in: 900, token_type: 'bearer' });
    const caller = await harness.node.server.verifier.verify(tokens.access_token);
    expect(caller).to.deep.equal({
      kind: 'app',
      appId: app.appId,
      clientId: app.appId,
      scopes: new Set(['customers:read']),
    });
  });

  it('grants all scopes of the app but offline_access when no scope is named', async () => {
    for (const scope of [{}, { scope: '' }]) {
      const fields = { grant_type: 'client_credentials', ...scope };
      const answer = await harness.post('/oauth/token', fields, app);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(await answer.json()).to.include({ scope: 'customers:read claims:read' });
    }
  });

  it('accepts the secret in the form', async () => {
    const fields = { grant_type: 'client_credentials', client_id: app.appId, client_secret: app.secret };
    expect((await harness.post('/oauth/token', fields)).status).to.equal(200);
  });

  for (const scope of [
    'consent:write',
    'customers:read consent:write',
    'customers:eat',
    'openid',
    'openid email',
    ' ',
    ' customers:read',
    'customers:read  claims:read',
  ]) {
    it(`answers invalid_scope for "${scope}"`, async () => {
      const answer = await harness.post('/oauth/token', { grant_type: 'client_credentials', scope }, app);
      expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
        400,
        'invalid_scope',
      ]);
    });
  }

  const strangers: [string, (app: TestApp) => TestApp | undefined][] = [
    ['a wrong secret', ({ appId }) => ({ appId, secret: 'wrong' })],
    ['an unknown client', ({ secret }) => ({ appId: 'app_unknown', secret })],
    ['the stored hash as secret', ({ appId }) => ({ appId, secret: 'x'.repeat(64) })],
  ];
  for (const [title, stranger] of strangers) {
    it(`challenges ${title}`, async () => {
      const answer = await harness.post('/oauth/token', { grant_type: 'client_credentials' }, stranger(app));
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate')).to.match(/^Basic /);
      expect(await answer.json()).to.include({ error: 'invalid_client' });
    });
  }

  it('challenges a client with a wrong secret in the form', async () => {
    const fields = { grant_type: 'client_credentials', client_id: app.appId, client_secret: 'wrong' };
    const answer = await harness.post('/oauth/token', fields);
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('www-authenticate')).to.match(/^Basic /);
  });

  it('refuses the stored hash as secret', async () => {
    const [row] = await harness.sql('SELECT client_secret_hash FROM apps WHERE app_id = $1', [app.appId]);
    const thief = { appId: app.appId, secret: String(row?.['client_secret_hash']) };
    expect((await harness.post('/oauth/token', { grant_type: 'client_credentials' }, thief)).status).to.equal(
      401,
    );
  });

  it('refuses client_credentials to a public client', async () => {
    const { appId } = await harness.addApp({ clientType: 'public' });
    const answer = await harness.post('/oauth/token', { grant_type: 'client_credentials', client_id: appId });
    expect(answer.status).to.equal(400);
  });

  it('refuses a disabled app', async () => {
    const disabled = await harness.addApp();
    await harness.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [disabled.appId]);
    expect(
      (await harness.post('/oauth/token', { grant_type: 'client_credentials' }, disabled)).status,
    ).to.equal(401);
  });

  for (const grant of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code']) {
    it(`refuses the grant type ${grant}`, async () => {
      const answer = await harness.post(
        '/oauth/token',
        { grant_type: grant, username: 'a', password: 'b' },
        app,
      );
      expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
        400,
        'unsupported_grant_type',
      ]);
    });
  }

  it('answers invalid_client to a request without a client', async () => {
    const answer = await harness.post('/oauth/token', { grant_type: 'client_credentials' });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
      401,
      'invalid_client',
    ]);
    expect(answer.headers.get('www-authenticate')).to.match(/^Basic /);
  });

  it('answers unauthorized_client to client_credentials of a public client', async () => {
    const { appId } = await harness.addApp({ clientType: 'public' });
    const answer = await harness.post('/oauth/token', { grant_type: 'client_credentials', client_id: appId });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
      400,
      'unauthorized_client',
    ]);
  });

  it('refuses a repeated parameter', async () => {
    const answer = await harness.post(
      '/oauth/token',
      'grant_type=client_credentials&grant_type=client_credentials',
      app,
    );
    expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
      400,
      'invalid_request',
    ]);
  });

  it('refuses JSON', async () => {
    const answer = await fetch(`${harness.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"client_credentials"}',
    });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([
      400,
      'invalid_request',
    ]);
  });

  it('lets pages of a public client read the answer, and no other pages', async () => {
    const redirectUris = ['https://spa.example/callback', 'com.example.app:/callback'];
    const { appId } = await harness.addApp({ clientType: 'public', redirectUris });
    const allowedFor = async (origin: string): Promise<string | null> => {
      const answer = await fetch(`${harness.baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: appId }),
      });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await allowedFor('https://spa.example')).to.equal('https://spa.example');
    for (const origin of ['https://evil.example', 'null']) expect(await allowedFor(origin)).to.equal(null);
    const headers = { origin: 'https://spa.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${harness.baseUrl}/oauth/token`, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([
      204,
      'POST',
    ]);
    for (const name of ['origin', 'access-control-request-method'] as const) {
      const { [name]: _missing, ...others } = headers;
      const plain = await fetch(`${harness.baseUrl}/oauth/token`, { method: 'OPTIONS', headers: others });
      expect([plain.status, plain.headers.get('allow')]).to.deep.equal([405, 'POST']);
    }
  });

  for (const endpoint of ['authorize', 'token', 'revoke', 'userinfo', 'introspect', 'jwks'])
    it(`refuses OPTIONS of /oauth/${endpoint} as any other method`, async () => {
      const url = `${harness.baseUrl}/oauth/${endpoint}`;
      const [options, put] = await Promise.all(['OPTIONS', 'PUT'].map((method) => fetch(url, { method })));
      expect(options?.status).to.equal(405);
      expect(options?.headers.get('allow')).to.equal(put?.headers.get('allow'));
      expect(await options?.text()).to.have.length.above(0);
    });

  it('slows down a client at one address, and no other client', async () => {
    app = await harness.addApp();
    const node = await harness.addNode({ RATE_LIMITS: 'token=3' });
    const other = await harness.addApp();
    const statuses: number[] = [];
    const ask = (who: TestApp): Promise<Response> =>
      fetch(`${node.config.baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: who.appId,
          client_secret: who.secret,
        }),
      });
    const first = await ask(app);
    expect(first.headers.get('ratelimit-policy')).to.equal('"token";q=3;w=60');
    expect(first.headers.get('ratelimit')).to.match(/^"token";r=2;t=\d+$/);
    for (let count = 0; count < 3; count += 1) statuses.push((await ask(app)).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
    const refused = await ask(app);
    expect(await refused.json()).to.include({ error: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await ask(other)).status).to.equal(200);
  });

  it('lets a client with its secret through, however often others fail in its name', async () => {
    app = await harness.addApp();
    const node = await harness.addNode({ RATE_LIMITS: 'token=3' });
    const ask = async (secret: string): Promise<number> =>
      (
        await fetch(`${node.config.baseUrl}/oauth/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${app.appId}:${secret}`)}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        })
      ).status;
    const guesses: number[] = [];
    for (let count = 0; count < 5; count += 1) guesses.push(await ask('wrong'));
    expect(guesses).to.deep.equal([401, 401, 401, 429, 429]);
    expect(await ask(app.secret)).to.equal(200);
  });
});

describe('Discovery', () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  async function read(path: string): Promise<Record<string, unknown>> {
    return (await fetch(harness.baseUrl + path)).json() as Promise<Record<string, unknown>>;
  }

  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
    it(`publishes the metadata at ${path}`, async () => {
      const metadata = await read(path);
      expect(metadata).to.deep.include({
        issuer: harness.baseUrl,
        authorization_endpoint: `${harness.baseUrl}/oauth/authorize`,
        token_endpoint: `${harness.baseUrl}/oauth/token`,
        introspection_endpoint: `${harness.baseUrl}/oauth/introspect`,
        revocation_endpoint: `${harness.baseUrl}/oauth/revoke`,
        jwks_uri: `${harness.baseUrl}/oauth/jwks`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        userinfo_endpoint: `${harness.baseUrl}/oauth/userinfo`,
        introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      });
    });
  }

  it('names its own endpoints for every Host header', async () => {
    const foreign = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
      expect(await textOf(harness.baseUrl + path, foreign)).to.equal(JSON.stringify(await read(path)));
    const authorize = '/oauth/authorize?client_id=nobody&response_type=code';
    expect(await textOf(harness.baseUrl + authorize, foreign)).to.not.include('evil.example');
  });

  it('names the authorization server of the API', async () => {
    expect(await read('/.well-known/oauth-protected-resource')).to.deep.include({
      resource: harness.baseUrl,
      authorization_servers: [harness.baseUrl],
      bearer_methods_supported: ['header'],
    });
  });

  it('answers other methods with 405 and the allowed one', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const answer = await fetch(harness.baseUrl + path);
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'POST']);
    }
    const answer = await fetch(`${harness.baseUrl}/oauth/authorize`, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, POST']);
  });

  it('publishes only public keys', async () => {
    const { keys } = (await read('/oauth/jwks')) as { keys: object[] };
    expect(keys).to.have.length(1);
    for (const key of keys) expect(key).to.have.all.keys('kty', 'use', 'kid', 'alg', 'crv', 'x', 'y');
  });
});

/** `fetch` would not send another host. */
function textOf(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve(text));
    });
    sent.once('error', reject).end();
  });
}
