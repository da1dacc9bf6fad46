import { expect } from 'chai';
import * as client from 'openid-client';
import { Browser } from './Browser.js';
import type { Visit } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, PASSWORD, REDIRECT_URI } from './OauthHarness.js';
import { errorCodeOf } from './errorCodeOf.js';

describe('Authorization code with PKCE', () => {
  let harness: OauthHarness;
  let app: TestApp;
  let configuration: client.Configuration;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
    configuration = await discover(app);
  });
  after(() => harness.close());

  function discover({ appId, secret }: TestApp): Promise<client.Configuration> {
    return client.discovery(new URL(harness.baseUrl), appId, secret, undefined, {
      execute: [client.allowInsecureRequests],
      algorithm: 'oauth2',
    });
  }

  async function addMember(scopes = ['customers:read', 'offline_access', 'claims:read']): Promise<string> {
    const email = `operator${(serial += 1)}@partner.example`;
    await harness.addAccount(email, { [app.appId]: scopes });
    return email;
  }

  interface Attempt {
    address: URL;
    verifier: string;
    state: string;
  }

  async function request(parameters: Record<string, string> = {}): Promise<Attempt> {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: REDIRECT_URI,
      scope: 'customers:read',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { address, verifier, state };
  }

  async function signedIn(browser: Browser, attempt: Attempt, email: string) {
    const page = await browser.open(attempt.address.href);
    return page.submit('/sign-in', { email, password: PASSWORD });
  }

  async function allow(browser: Browser, attempt: Attempt, email: string): Promise<URL> {
    const approval = await signedIn(browser, attempt, email);
    const done = await approval.submit('/decide', { decision: 'allow' });
    if (done.away === undefined) throw new Error(`Still on ${done.path}: ${done.text}`);
    return done.away;
  }

  function exchange(attempt: Attempt, callback: URL) {
    return client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
    });
  }

  it('gives a member who allows it a token with the scopes asked for', async () => {
    const email = await addMember();
    const attempt = await request();
    const callback = await allow(new Browser(harness.baseUrl), attempt, email);
    expect(callback.searchParams.get('iss')).to.equal(harness.baseUrl);
    const tokens = await exchange(attempt, callback);
    expect(tokens).to.include({ scope: 'customers:read', expires_in: 900, token_type: 'bearer' });
    expect(tokens.refresh_token).to.equal(undefined);
    const caller = await harness.node.server.verifier.verify(tokens.access_token);
    expect(caller).to.deep.include({ kind: 'app', appId: app.appId, scopes: new Set(['customers:read']) });
    expect(caller).to.have.property('accountId').that.matches(/^acc_/);
  });

  it('begins by POST as by GET, also for a person who is signed in', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const open = (attempt: Attempt): Promise<Visit> =>
      browser.open('/oauth/authorize', Object.fromEntries(attempt.address.searchParams));
    const first = await request({ scope: 'customers:read offline_access', state: '\r\nSet-Cookie: a=b&ä+%' });
    const approval = await (await open(first)).submit('/sign-in', { email, password: PASSWORD });
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    const state = first.address.searchParams.get('state') ?? '';
    expect(away?.searchParams.get('state')).to.equal(state);
    const tokens = await exchange({ ...first, state }, away ?? new URL('about:blank'));
    expect(tokens.refresh_token, 'without prompt=consent').to.be.a('string');
    const second = await request();
    const { away: again } = await open(second);
    expect((await exchange(second, again ?? new URL('about:blank'))).scope).to.equal('customers:read');
    const { away: silent } = await open(await request({ prompt: 'none', scope: 'claims:read' }));
    expect(silent?.searchParams.get('error')).to.equal('consent_required');
  });

  it('refuses a POST that is no readable form, in the shape of its caller', async () => {
    const url = `${harness.baseUrl}/oauth/authorize`;
    const { address } = await request();
    const bodies: [string, RequestInit][] = [
      ['JSON', { body: JSON.stringify(Object.fromEntries(address.searchParams)) }],
      ['too long', { body: new URLSearchParams({ state: 'ä'.repeat(1500) }) }],
      ['far too long', { body: new URLSearchParams({ state: 'x'.repeat(60_000) }) }],
      ['NUL', { body: new URLSearchParams({ state: 'a\0b' }) }],
      ['nothing', {}],
    ];
    for (const [title, init] of bodies) {
      const send = (accept: string): Promise<Response> =>
        fetch(url, { method: 'POST', redirect: 'manual', headers: { accept }, ...init });
      const program = await send('application/json');
      expect(program.status, title).to.equal(400);
      expect(await program.json(), title).to.have.property('error', 'invalid_request');
      const person = await send('text/html');
      expect([person.status, person.headers.get('location')], title).to.deep.equal([400, null]);
      expect(person.headers.get('content-type'), title).to.include('text/html');
    }
  });

  it('counts parameters of a form alone, and refuses repeated ones like those of an address', async () => {
    const { address } = await request();
    const form = new URLSearchParams([...address.searchParams, ['client_id', 'app_x']]);
    const answers = [
      await fetch(`${address.origin}${address.pathname}?${form.toString()}`),
      await fetch(`${address.origin}${address.pathname}`, { method: 'POST', body: form }),
    ];
    const bodies = await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]));
    expect(bodies[1]).to.deep.equal(bodies[0]);
    expect(bodies[0]?.[0]).to.equal(400);
    const empty = await fetch(address, { method: 'POST', body: new URLSearchParams() });
    expect(await empty.json()).to.have.property('error', 'invalid_request');
  });

  it('narrows the scopes to those of the member', async () => {
    const email = await addMember(['customers:read']);
    const attempt = await request({ scope: 'customers:read consent:write' });
    const tokens = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
    expect(tokens.scope).to.equal('customers:read');
  });

  it('rotates refresh tokens without asking clients for prompt=consent', async () => {
    const email = await addMember();
    const attempt = await request({ scope: 'customers:read offline_access' });
    const first = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
    expect(second.refresh_token).to.be.a('string').and.not.equal(first.refresh_token);
    expect(await kindOf(second.access_token)).to.equal('app');
  });

  it('ends the whole family when a refresh token is used again', async () => {
    const email = await addMember();
    const attempt = await request({ scope: 'customers:read offline_access' });
    const first = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
    expect(await errorCodeOf(client.refreshTokenGrant(configuration, first.refresh_token ?? ''))).to.equal(
      'invalid_grant',
    );
    expect(await errorCodeOf(client.refreshTokenGrant(configuration, second.refresh_token ?? ''))).to.equal(
      'invalid_grant',
    );
    for (const token of [first.access_token, second.access_token])
      expect(await kindOf(token)).to.equal('anonymous');
  });

  it('ends the family when one refresh token is used many times at once', async () => {
    const email = await addMember();
    const attempt = await request({ scope: 'customers:read offline_access' });
    const first = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.refreshTokenGrant(configuration, first.refresh_token ?? '')),
    );
    const issued = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.access_token] : [],
    );
    expect(issued.length).to.be.at.most(1);
    for (const token of [first.access_token, ...issued]) expect(await kindOf(token)).to.equal('anonymous');
  });

  it('keeps other families of the same person alive', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const one = await request({ scope: 'customers:read offline_access' });
    const first = await exchange(one, await allow(browser, one, email));
    const two = await request({ scope: 'customers:read offline_access' });
    const approval = await browser.open(two.address.href);
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    const other = await exchange(two, away ?? new URL('about:blank'));
    await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
    await errorCodeOf(client.refreshTokenGrant(configuration, first.refresh_token ?? ''));
    expect(await kindOf(other.access_token)).to.equal('app');
  });

  it('asks nothing of a person who is signed in and has approved before', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const one = await request();
    await allow(browser, one, email);
    const two = await request();
    const { away } = await browser.open(two.address.href);
    expect((await exchange(two, away ?? new URL('about:blank'))).scope).to.equal('customers:read');
  });

  it('asks anew for the app itself and for each page of this service that uses its client id', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const [own, graphiql, dashboard] = await Promise.all(
      [REDIRECT_URI, ...['/graphiql', '/dashboard'].map((path) => `${harness.baseUrl}${path}/callback`)].map(
        (uri) => request({ redirect_uri: uri }),
      ),
    );
    const asks = async (attempt: Attempt | undefined): Promise<boolean> => {
      const visit = await browser.open(attempt?.address.href ?? '');
      return visit.forms.some(({ action }) => action.endsWith('/decide'));
    };
    const approve = async (attempt: Attempt | undefined): Promise<void> => {
      const visit = await browser.open(attempt?.address.href ?? '');
      await visit.submit('/decide', { decision: 'allow' });
    };
    const page = await signedIn(browser, await request({ redirect_uri: REDIRECT_URI }), email);
    expect(page.status).to.equal(200);
    await approve(graphiql);
    expect([await asks(own), await asks(dashboard), await asks(graphiql)]).to.deep.equal([true, true, false]);
    await approve(own);
    await approve(dashboard);
    for (const attempt of [own, graphiql, dashboard]) expect(await asks(attempt)).to.equal(false);
  });

  it('asks each time for a public client that another program could pose as', async () => {
    const loopback = 'http://127.0.0.1:8100/callback';
    const native = await harness.addApp({ clientType: 'public', redirectUris: [loopback, REDIRECT_URI] });
    const email = `native${(serial += 1)}@partner.example`;
    await harness.addAccount(email, { [native.appId]: ['customers:read'] });
    const browser = new Browser(harness.baseUrl);
    const open = async (uri: string, more: Record<string, string> = {}) =>
      browser.open((await request({ client_id: native.appId, redirect_uri: uri, ...more })).address.href);
    const first = await (await open(REDIRECT_URI)).submit('/sign-in', { email, password: PASSWORD });
    await first.submit('/decide', { decision: 'allow' });
    expect((await open(REDIRECT_URI)).away?.searchParams.has('code'), 'an address of its own').to.equal(true);
    const { away } = await (await open(loopback)).submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.has('code')).to.equal(true);
    expect((await open(loopback)).away, 'asks again').to.equal(undefined);
    const silent = await open(loopback, { prompt: 'none' });
    expect(silent.away?.searchParams.get('error')).to.equal('consent_required');
  });

  it('starts a family of its own for an authorization without a question', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const one = await request();
    const first = await exchange(one, await allow(browser, one, email));
    const two = await request();
    const { away } = await browser.open(two.address.href);
    await exchange(two, away ?? new URL('about:blank'));
    expect(await errorCodeOf(exchange(two, away ?? new URL('about:blank')))).to.equal('invalid_grant');
    expect(await kindOf(first.access_token)).to.equal('app');
  });

  it('issues an ID token for the scope openid', async () => {
    const email = await addMember();
    const openid = await client.discovery(new URL(harness.baseUrl), app.appId, app.secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
    const attempt = await request({ scope: 'openid customers:read', nonce: 'n'.repeat(43) });
    const tokens = await client.authorizationCodeGrant(
      openid,
      await allow(new Browser(harness.baseUrl), attempt, email),
      {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: 'n'.repeat(43),
        idTokenExpected: true,
      },
    );
    const caller = await harness.node.server.verifier.verify(tokens.access_token);
    expect(tokens.claims()?.sub).to.equal(caller.kind === 'app' ? caller.accountId : '');
    expect(caller).to.have.deep.property('scopes', new Set(['customers:read']));
  });

  it('refuses a used code and revokes the tokens issued for it', async () => {
    const email = await addMember();
    const attempt = await request();
    const callback = await allow(new Browser(harness.baseUrl), attempt, email);
    const tokens = await exchange(attempt, callback);
    expect(await errorCodeOf(exchange(attempt, callback))).to.equal('invalid_grant');
    expect(await kindOf(tokens.access_token)).to.equal('anonymous');
  });

  it('refuses a code with another verifier, for another client or redirect URI', async () => {
    const email = await addMember();
    const attempt = await request();
    const callback = await allow(new Browser(harness.baseUrl), attempt, email);
    const wrong = { ...attempt, verifier: client.randomPKCECodeVerifier() };
    expect(await errorCodeOf(exchange(wrong, callback))).to.equal('invalid_grant');
    const stranger = await discover(await harness.addApp());
    const taken = client.authorizationCodeGrant(stranger, callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
    });
    expect(await errorCodeOf(taken)).to.equal('invalid_grant');
    const moved = await harness.post(
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: 'https://partner.example/other',
        code_verifier: attempt.verifier,
      },
      app,
    );
    expect([moved.status, ((await moved.json()) as { error: string }).error]).to.deep.equal([
      400,
      'invalid_grant',
    ]);
  });

  it('tells the client when the person does not allow it', async () => {
    const email = await addMember();
    const attempt = await request();
    const approval = await signedIn(new Browser(harness.baseUrl), attempt, email);
    const { away } = await approval.submit('/decide', { decision: 'deny' });
    expect(away?.searchParams.get('error')).to.equal('access_denied');
    expect(away?.searchParams.get('state')).to.equal(attempt.state);
    expect(away?.searchParams.get('iss')).to.equal(harness.baseUrl);
  });

  it('refuses an account that is not a member, whatever its password', async () => {
    const stranger = `stranger${(serial += 1)}@partner.example`;
    await harness.addAccount(stranger);
    const attempt = await request();
    const page = await signedIn(new Browser(harness.baseUrl), attempt, stranger);
    expect(page.status).to.equal(403);
    expect(page.text).to.include('not a member');
    const { away } = await page.submit('/decide', { decision: 'allow' }).catch(() => ({ away: undefined }));
    expect(away?.searchParams.has('code')).to.not.equal(true);
  });

  it('lets a person who is not a member go on with another account', async () => {
    const stranger = `stranger${(serial += 1)}@partner.example`;
    await harness.addAccount(stranger);
    const email = await addMember();
    const attempt = await request();
    const refused = await signedIn(new Browser(harness.baseUrl), attempt, stranger);
    const again = await refused.submit('/sign-out', {});
    const approval = await again.submit('/sign-in', { email, password: PASSWORD });
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    expect((await exchange(attempt, away ?? new URL('about:blank'))).scope).to.equal('customers:read');
  });

  it('refuses a removed member who had approved before', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    await allow(browser, await request(), email);
    await harness.sql(
      'DELETE FROM app_members WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)',
      [email],
    );
    const page = await browser.open((await request()).address.href);
    expect([page.status, page.away]).to.deep.equal([403, undefined]);
    expect(page.text).to.include('not a member');
  });

  it('refuses a person who is signed in for one app at another one', async () => {
    const browser = new Browser(harness.baseUrl);
    await allow(browser, await request(), await addMember());
    const other = await harness.addApp();
    const page = await browser.open((await request({ client_id: other.appId })).address.href);
    expect([page.status, page.away]).to.deep.equal([403, undefined]);
  });

  it('asks for the password again when the client insists', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    await allow(browser, await request(), email);
    const page = await browser.open((await request({ prompt: 'login' })).address.href);
    expect(page.text).to.include('type="password"');
    const { away } = await page.submit('/sign-in', { email, password: PASSWORD });
    expect(away?.searchParams.has('code')).to.equal(true);
  });

  const wrongRequests: [string, Record<string, string>, string][] = [
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method, which means plain', { code_challenge_method: '' }, 'invalid_request'],
    ['for an unknown scope', { scope: 'customers:read customers:eat' }, 'invalid_scope'],
    ['for no scope', { scope: '' }, 'invalid_scope'],
    ['for a token in the address (implicit)', { response_type: 'token' }, 'unsupported_response_type'],
  ];
  for (const [title, parameters, code] of wrongRequests) {
    it(`redirects with an error for a request ${title}`, async () => {
      const { address } = await request(parameters);
      const form = Object.fromEntries(address.searchParams);
      for (const body of [undefined, form]) {
        const { away } = await new Browser(harness.baseUrl).open(
          body ? '/oauth/authorize' : address.href,
          body,
        );
        const answer = away?.hash ? new URLSearchParams(away.hash.slice(1)) : away?.searchParams;
        expect(answer?.get('error')).to.equal(code);
      }
    });
  }

  it('redirects with an error for a scope that the app is not allowed', async () => {
    const narrow = await harness.addApp({ allowedScopes: ['customers:read'] });
    const { address } = await request({ client_id: narrow.appId, scope: 'customers:read claims:read' });
    const { away } = await new Browser(harness.baseUrl).open(address.href);
    expect(away?.searchParams.get('error')).to.equal('invalid_scope');
  });

  for (const uri of [
    'https://partner.example/callback/',
    'https://partner.example/callback?x=1',
    'https://evil.example/callback',
  ]) {
    it(`never redirects to ${uri}, which is not registered`, async () => {
      const { address } = await request({ redirect_uri: uri });
      const form = Object.fromEntries(address.searchParams);
      for (const body of [undefined, form]) {
        const page = await new Browser(harness.baseUrl).open(body ? '/oauth/authorize' : address.href, body);
        expect(page.away).to.equal(undefined);
        expect(page.status).to.equal(400);
        expect(page.text).to.include('invalid_redirect_uri');
        expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
      }
    });
  }

  it('answers a program with an RFC 6749 error as JSON', async () => {
    const answer = await fetch((await request({ redirect_uri: 'https://evil.example/' })).address, {
      redirect: 'manual',
    });
    expect(answer.status).to.equal(400);
    expect(answer.headers.get('cache-control')).to.include('no-store');
    expect(await answer.json()).to.have.property('error', 'invalid_redirect_uri');
  });

  it('accepts no other port of a loopback redirect URI', async () => {
    const native = await harness.addApp({
      clientType: 'public',
      redirectUris: ['http://127.0.0.1:8100/callback', 'com.partner.app:/callback'],
    });
    const page = await new Browser(harness.baseUrl).open(
      (await request({ client_id: native.appId, redirect_uri: 'http://127.0.0.1:8101/callback' })).address
        .href,
    );
    expect(page.away).to.equal(undefined);
    expect(page.text).to.include('invalid_redirect_uri');
  });

  it('serves a public client with PKCE and no secret', async () => {
    const native = await harness.addApp({
      clientType: 'public',
      redirectUris: ['com.partner.app:/callback'],
    });
    const email = `native${(serial += 1)}@partner.example`;
    await harness.addAccount(email, { [native.appId]: ['customers:read', 'offline_access'] });
    const attempt = await request({
      client_id: native.appId,
      redirect_uri: 'com.partner.app:/callback',
      scope: 'customers:read offline_access',
    });
    const callback = await allow(new Browser(harness.baseUrl), attempt, email);
    const publicClient = await client.discovery(
      new URL(harness.baseUrl),
      native.appId,
      undefined,
      client.None(),
      {
        execute: [client.allowInsecureRequests],
        algorithm: 'oauth2',
      },
    );
    const tokens = await client.authorizationCodeGrant(publicClient, callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
    });
    const refreshed = await client.refreshTokenGrant(publicClient, tokens.refresh_token ?? '');
    expect(refreshed.scope).to.equal('customers:read offline_access');
  });

  it('stops refreshing for a removed member', async () => {
    const email = await addMember();
    const attempt = await request({ scope: 'customers:read offline_access' });
    const tokens = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
    await harness.sql(
      'DELETE FROM app_members WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)',
      [email],
    );
    expect(await errorCodeOf(client.refreshTokenGrant(configuration, tokens.refresh_token ?? ''))).to.equal(
      'invalid_grant',
    );
  });

  it('stops refreshing when the app or the member may no longer have offline_access', async () => {
    const kept = ['customers:read', 'openid'];
    const lose = {
      app: 'UPDATE apps SET allowed_scopes = array_remove(allowed_scopes, $2) WHERE app_id = $1',
      member: 'UPDATE app_members SET scopes = array_remove(scopes, $2) WHERE app_id = $1',
    };
    for (const [loser, text] of Object.entries(lose)) {
      const email = await addMember();
      const attempt = await request({ scope: `${kept.join(' ')} offline_access` });
      const tokens = await exchange(attempt, await allow(new Browser(harness.baseUrl), attempt, email));
      await harness.sql(text, [app.appId, 'offline_access']);
      const refused = client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
      expect(await errorCodeOf(refused), loser).to.equal('invalid_grant');
      await harness.sql(text.replaceAll('array_remove', 'array_append'), [app.appId, 'offline_access']);
    }
  });

  it('stores no token, code or session id in plain text', async () => {
    const email = await addMember();
    const browser = new Browser(harness.baseUrl);
    const attempt = await request({ scope: 'customers:read offline_access' });
    const callback = await allow(browser, attempt, email);
    const tokens = await exchange(attempt, callback);
    const dump = JSON.stringify([
      ...(await harness.sql('SELECT * FROM oauth_artifacts')),
      ...(await harness.sql('SELECT * FROM account_sessions')),
    ]);
    const secrets = [
      tokens.access_token,
      tokens.refresh_token,
      callback.searchParams.get('code'),
      browser.cookie('account_session'),
      browser.cookie('oauth_session'),
    ];
    for (const secret of secrets) {
      expect(secret).to.be.a('string').with.length.greaterThan(20);
      expect(dump).to.not.include(secret);
    }
  });

  async function kindOf(token: string): Promise<string> {
    return (await harness.node.server.verifier.verify(token)).kind;
  }
});
