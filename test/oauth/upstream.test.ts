import { expect } from 'chai';
import { generateKeyPair, SignJWT } from 'jose';
import { freePort } from '../support/freePort.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { signUp } from '../../src/accounts/signUp.js';
import { NEWCOMER } from '../accounts/newcomer.js';
import { authorizationAddress } from './authorizationAddress.js';
import { Browser } from './Browser.js';
import type { Visit } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, PASSWORD } from './OauthHarness.js';
import type { Person } from './UpstreamProvider.js';
import { UpstreamProvider, upstreamSettings } from './UpstreamProvider.js';

function failed(reason: string): unknown[] {
  return [{ reason }, 'Upstream sign-in failed'];
}

describe('Signing in through an upstream OpenID provider', () => {
  let harness: OauthHarness;
  let upstream: UpstreamProvider;
  let app: TestApp;
  let address: string;
  let warned: unknown[][];

  before(async () => {
    const port = await freePort();
    upstream = await UpstreamProvider.start(`http://localhost:${port}/oauth/upstream/callback`);
    harness = await OauthHarness.open({ PORT: String(port), ...upstreamSettings(upstream.issuer) });
    harness.node.services.log.warn = (...line: unknown[]) => void warned.push(line);
    app = await harness.addApp();
    address = authorizationAddress(app);
  });
  beforeEach(() => {
    warned = [];
  });
  after(async () => {
    await harness.close();
    await upstream.stop();
  });

  async function begin(browser: Browser): Promise<URL> {
    const page = await browser.open(address);
    expect(page.text).to.include('Harbour Login');
    const { away } = await page.submit('/oauth/upstream/start', {});
    if (away === undefined) throw new Error('The form did not lead to the upstream provider.');
    return away;
  }

  async function signInAs(person: Person, browser = new Browser(harness.baseUrl)): Promise<Visit> {
    upstream.person = person;
    return browser.open((await upstream.visit(await begin(browser))).href);
  }

  async function accounts(email: string): Promise<Record<string, unknown>[]> {
    return harness.sql('SELECT * FROM accounts WHERE email = $1', [email]);
  }

  it('sends PKCE, state and nonce to the provider', async () => {
    const away = await begin(new Browser(harness.baseUrl));
    expect(away.origin).to.equal(upstream.issuer);
    expect(away.searchParams.get('code_challenge_method')).to.equal('S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(away.searchParams.get(name)).to.match(/^[\w-]{43}$/);
  });

  it('creates an account at the first sign-in and finds it at the second', async () => {
    const person = { sub: 'u-1', email: 'Uma@Partner.example', email_verified: true };
    await signInAs(person);
    await signInAs({ ...person, email: 'uma.new@partner.example' });
    expect(await accounts('uma@partner.example')).to.have.length(1);
    expect(await accounts('uma.new@partner.example')).to.have.length(0);
  });

  it('gives a new account the language and time zone of the browser, not an older one', async () => {
    const email = 'undine@partner.example';
    const person = { sub: 'u-1b', email, email_verified: true };
    const browser = new Browser(harness.baseUrl, { 'accept-language': 'de-AT' });
    browser.setCookie('time_zone', 'Europe%2FVienna');
    await signInAs(person, browser);
    await signInAs(person);
    const [account] = await accounts(email);
    expect(account).to.include({ locale: 'de', time_zone: 'Europe/Vienna' });
  });

  it('returns to the authorization request, which refuses a person who is not a member', async () => {
    const email = 'ulf@partner.example';
    const refused = await signInAs({ sub: 'u-2', email, email_verified: true });
    expect([refused.status, refused.text.includes('not a member')]).to.deep.equal([403, true]);
    await harness.sql(
      `INSERT INTO app_members SELECT $1, account_id, '{customers:read}', now(), now() FROM accounts
        WHERE email = $2`,
      [app.appId, email],
    );
    const approval = await signInAs({ sub: 'u-2', email, email_verified: true });
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.get('code')).to.be.a('string');
  });

  it('links the identity to the account of its verified address', async () => {
    const accountId = await harness.addAccount('ute@partner.example', { [app.appId]: ['customers:read'] });
    const approval = await signInAs({ sub: 'u-3', email: 'ute@partner.example', email_verified: true });
    expect(approval.status).to.equal(200);
    const [account] = await accounts('ute@partner.example');
    expect(account).to.include({ account_id: accountId, upstream_subject: 'u-3' });
    expect(account?.['password_hash']).to.be.a('string');
  });

  it('refuses to link an identity whose address the provider has not verified', async () => {
    await harness.addAccount('victim@partner.example', { [app.appId]: ['customers:read'] });
    for (const email_verified of [false, undefined]) {
      const person = {
        sub: 'attacker',
        email: 'victim@partner.example',
        ...(email_verified === undefined ? {} : { email_verified }),
      };
      const page = await signInAs(person);
      expect(page.status).to.equal(400);
      expect(page.text).to.include('Harbour Login did not work');
    }
    const reason = 'The upstream identity has no verified e-mail address of its own.';
    expect(warned).to.deep.equal([failed(reason), failed(reason)]);
    expect((await accounts('victim@partner.example'))[0]?.['upstream_subject']).to.equal(null);
  });

  it('removes the password of a sign-up that only claimed the address', async () => {
    const credentials = {
      email: 'una@partner.example',
      password: PASSWORD,
      address: '203.0.113.3',
      ...NEWCOMER,
    };
    await signUp(harness.node.services, credentials);
    await signInAs({ sub: 'u-4', email: 'una@partner.example', email_verified: true });
    expect((await accounts('una@partner.example'))[0]).to.include({
      password_hash: null,
      email_verified: true,
    });
  });

  it('refuses to link a second upstream identity to an account', async () => {
    await signInAs({ sub: 'u-5', email: 'uwe@partner.example', email_verified: true });
    const page = await signInAs({ sub: 'u-6', email: 'uwe@partner.example', email_verified: true });
    expect(page.status).to.equal(400);
    expect((await accounts('uwe@partner.example'))[0]?.['upstream_subject']).to.equal('u-5');
  });

  const forgeries: [string, (callback: URL) => void][] = [
    ['another state', (callback) => callback.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (callback) => callback.searchParams.delete('state')],
    ['another code', (callback) => callback.searchParams.set('code', 'x'.repeat(43))],
    [
      'an issuer that is not the provider',
      (callback) => callback.searchParams.set('iss', 'https://evil.example'),
    ],
    ['an error', (callback) => (callback.search = '?error=access_denied')],
  ];
  for (const [title, forge] of forgeries) {
    it(`refuses an answer with ${title}`, async () => {
      const browser = new Browser(harness.baseUrl);
      upstream.person = { sub: 'u-7', email: 'ursula@partner.example', email_verified: true };
      const callback = await upstream.visit(await begin(browser));
      forge(callback);
      const page = await browser.open(callback.href);
      expect(page.status).to.equal(400);
      expect(browser.cookie('account_session')).to.equal(undefined);
    });
  }

  it('signs in from each of two tabs of a browser, and a forged answer ends neither', async () => {
    const browser = new Browser(harness.baseUrl);
    upstream.person = { sub: 'u-tabs', email: 'tabs@partner.example', email_verified: true };
    const begun = [await begin(browser), await begin(browser)];
    for (const state of ['', 'x'.repeat(43), 'x; Path=/'])
      expect((await browser.open(`/oauth/upstream/callback?state=${state}&code=x`)).status).to.equal(400);
    for (const tab of begun) {
      const former = browser.cookie('account_session');
      const { path } = await browser.open((await upstream.visit(tab)).href);
      expect(path).to.match(/^\/oauth\/interaction\//);
      expect(browser.cookie('account_session'))
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(former);
    }
  });

  it('leads back to where the sign-in began when the provider lets nobody in', async () => {
    const browser = new Browser(harness.baseUrl);
    const { searchParams } = await begin(browser);
    const answer = { error: 'access_denied', state: searchParams.get('state') ?? '' };
    const left = await browser.open(`/oauth/upstream/callback?${new URLSearchParams(answer).toString()}`);
    const [, link = ''] = /<a class="button quiet" href="([^"]*)"/.exec(left.text) ?? [];
    expect([left.status, link.replace(/[^/]+$/, '')]).to.deep.equal([400, '/oauth/interaction/']);
    expect((await browser.open(link)).text).to.include('type="password"');
  });

  it('refuses an answer to a sign-in that another browser began', async () => {
    upstream.person = { sub: 'u-8', email: 'udo@partner.example', email_verified: true };
    const callback = await upstream.visit(await begin(new Browser(harness.baseUrl)));
    const victim = new Browser(harness.baseUrl);
    await begin(victim);
    expect((await victim.open(callback.href)).status).to.equal(400);
    expect((await new Browser(harness.baseUrl).open(callback.href)).status).to.equal(400);
    expect(victim.cookie('account_session')).to.equal(undefined);
  });

  it('refuses an ID token with another nonce', async () => {
    const browser = new Browser(harness.baseUrl);
    upstream.person = { sub: 'u-9', email: 'ugo@partner.example', email_verified: true };
    const away = await begin(browser);
    away.searchParams.set('nonce', 'n'.repeat(43));
    const page = await browser.open((await upstream.visit(away)).href);
    expect([page.status, browser.cookie('account_session')]).to.deep.equal([400, undefined]);
  });

  it('answers the callback with 503 and Retry-After while the database is unreachable', async () => {
    const browser = new Browser(harness.baseUrl);
    upstream.person = { sub: 'u-10', email: 'ulla@partner.example', email_verified: true };
    const callback = await upstream.visit(await begin(browser));
    const databases = [harness.database, harness.database.urgent];
    const transactions = databases.map((database) => database.transaction);
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const database of databases) database.transaction = () => Promise.reject(gone);
    const page = await browser.open(callback.href);
    for (const [place, database] of databases.entries())
      database.transaction = transactions[place] ?? database.transaction;
    expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(page.text).to.not.include('ECONNREFUSED');
    expect(browser.cookie('account_session')).to.equal(undefined);
    expect((await signInAs(upstream.person)).status).to.equal(403);
  });

  it('repeats discovery after the provider was unreachable', async () => {
    const { services } = await harness.addNode(upstreamSettings(upstream.issuer));
    const browser = new Browser(services.config.baseUrl);
    const page = await browser.open(address);
    upstream.isAway = true;
    const failed = await page.submit('/oauth/upstream/start', {});
    upstream.isAway = false;
    expect([failed.status, failed.away]).to.deep.equal([400, undefined]);
    const discoveries = (): number =>
      upstream.requests.filter(({ pathname }) => pathname.startsWith('/.well-known/')).length;
    const before = discoveries();
    for (let time = 0; time < 2; time += 1)
      expect((await page.submit('/oauth/upstream/start', {})).away?.origin).to.equal(upstream.issuer);
    expect(discoveries(), 'once for both').to.equal(before + 1);
  });

  it('refuses an answer that arrives more than ten minutes after the start', async () => {
    const { secrets } = harness.node.services;
    const browser = new Browser(harness.baseUrl);
    upstream.person = { sub: 'u-11', email: 'urs@partner.example', email_verified: true };
    const callback = await upstream.visit(await begin(browser));
    const cookie = `upstream_sign_in_${callback.searchParams.get('state')}`;
    const kept = JSON.parse(secrets.open(browser.cookie(cookie) ?? '')) as { expiresAt: number };
    expect(kept.expiresAt - Date.now()).to.be.within(300_000, 600_000);
    const late = secrets.seal(JSON.stringify({ ...kept, expiresAt: Date.now() }));
    browser.setCookie(cookie, late, '/oauth/upstream');
    const page = await browser.open(callback.href);
    expect([page.status, browser.cookie('account_session')]).to.deep.equal([400, undefined]);
    expect(warned).to.deep.equal([failed('This browser has begun no sign-in in the last ten minutes.')]);
    expect(await accounts('urs@partner.example')).to.deep.equal([]);
  });

  it('answers 400 to an answer while the provider is unreachable', async () => {
    const browser = new Browser(harness.baseUrl);
    const callback = await upstream.visit(await begin(browser));
    upstream.isAway = true;
    const page = await browser.open(callback.href);
    upstream.isAway = false;
    expect([page.status, browser.cookie('account_session')]).to.deep.equal([400, undefined]);
  });

  it('ignores a return address outside the service', async () => {
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/oauth/../../evil',
    ]) {
      const browser = new Browser(harness.baseUrl);
      upstream.person = { sub: 'u-1', email: 'uma@partner.example', email_verified: true };
      const page = await browser.open(address);
      const form = page.forms.find(({ action }) => action.startsWith('/oauth/upstream/start'));
      const start = `/oauth/upstream/start?${new URLSearchParams({ return_to: target }).toString()}`;
      const { away } = await browser.open(start, form?.fields ?? {});
      const back = await browser.open((await upstream.visit(away ?? new URL('about:blank'))).href);
      expect([back.away, back.path]).to.deep.equal([undefined, '/connections']);
    }
  });

  it('leads to the sign-in page, and starts nothing, when the address of its form is loaded', async () => {
    const start = `${harness.baseUrl}/oauth/upstream/start?return_to=/account`;
    const answer = await fetch(start, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([
      303,
      '/sign-in?return_to=%2Faccount',
    ]);
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
  });

  it('refuses to start without the form token', async () => {
    const page = await new Browser(harness.baseUrl).open('/oauth/upstream/start?return_to=/connections', {});
    expect([page.status, page.away]).to.deep.equal([400, undefined]);
  });
});

describe('Signing in without an upstream provider', () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  it('offers no upstream sign-in and answers 404 on its routes', async () => {
    const page = await new Browser(harness.baseUrl).open(authorizationAddress(await harness.addApp()));
    expect(page.forms.map(({ action }) => action)).to.satisfy((actions: string[]) =>
      actions.every((action) => !action.startsWith('/oauth/upstream')),
    );
    for (const path of ['start', 'callback'])
      expect((await harness.post(`/oauth/upstream/${path}`, {})).status).to.equal(404);
  });
});

describe('An upstream provider that is reached by HTTPS', () => {
  const ISSUER = 'https://id.example';
  let harness: OauthHarness;
  let answers: Record<string, object>;
  let asked: string[];
  const { fetch } = globalThis;

  before(async () => {
    harness = await OauthHarness.open(upstreamSettings(ISSUER));
  });
  after(() => harness.close());

  beforeEach(() => {
    asked = [];
    globalThis.fetch = async (input, init) => {
      const { origin, pathname } = new URL(String(input));
      if (origin !== ISSUER) return fetch(input, init);
      asked.push(pathname);
      return Response.json(answers[pathname] ?? {}, { status: pathname in answers ? 200 : 404 });
    };
  });
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  function metadata(more: Record<string, string> = {}): Record<string, object> {
    const endpoints = { authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token` };
    const algorithms = { id_token_signing_alg_values_supported: ['ES256'] };
    const all = { issuer: ISSUER, ...endpoints, ...algorithms, ...more };
    return { '/.well-known/openid-configuration': all };
  }

  /** A browser that a node, which knows nothing of the provider yet, sends there. */
  async function start(): Promise<{ browser: Browser; left: Visit }> {
    const { services } = await harness.addNode(upstreamSettings(ISSUER));
    const browser = new Browser(services.config.baseUrl);
    const page = await browser.open(authorizationAddress(await harness.addApp()));
    return { browser, left: await page.submit('/oauth/upstream/start', {}) };
  }

  /** Whom the service takes for the one that the provider names in its ID token. */
  async function signInAs(claims: Record<string, unknown> & { sub: string }): Promise<string | undefined> {
    const { browser, left } = await start();
    const { searchParams } = left.away ?? expect.fail(left.text);
    const { privateKey } = await generateKeyPair('ES256');
    const token = new SignJWT({ ...claims, nonce: searchParams.get('nonce') });
    token.setIssuer(ISSUER).setAudience('consent').setIssuedAt().setExpirationTime('5 minutes');
    const signed = await token.setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    answers['/token'] = { access_token: 'access', token_type: 'Bearer', id_token: signed };
    const state = searchParams.get('state') ?? '';
    await browser.open(`/oauth/upstream/callback?${new URLSearchParams({ state, code: 'code' }).toString()}`);
    const [row] = await harness.sql(
      'SELECT email FROM accounts JOIN account_sessions USING (account_id) WHERE token_hash = $1',
      [hashSecretToken(browser.cookie('account_session') ?? '')],
    );
    return row?.['email'] as string | undefined;
  }

  it('is refused when its authorization endpoint uses plain HTTP', async () => {
    answers = metadata({ authorization_endpoint: 'http://id.example/authorize' });
    const { left } = await start();
    expect([left.status, left.away]).to.deep.equal([400, undefined]);
    answers = metadata();
    expect((await start()).left.away?.href).to.match(/^https:\/\/id\.example\/authorize\?/);
  });

  it('is not asked for the address when the ID token contains it', async () => {
    answers = { ...metadata({ userinfo_endpoint: `${ISSUER}/userinfo` }), '/userinfo': { sub: 'v-1' } };
    const email = 'vera@partner.example';
    expect(await signInAs({ sub: 'v-1', email, email_verified: true })).to.equal(email);
    expect(asked).to.not.include('/userinfo');
  });

  it('provides the address only when userinfo has the same subject as the ID token', async () => {
    answers = metadata({ userinfo_endpoint: `${ISSUER}/userinfo` });
    const email = 'vito@partner.example';
    answers['/userinfo'] = { sub: 'somebody else', email, email_verified: true };
    expect(await signInAs({ sub: 'v-2' })).to.equal(undefined);
    answers['/userinfo'] = { sub: 'v-2', email, email_verified: true };
    expect(await signInAs({ sub: 'v-2' })).to.equal(email);
    expect(asked).to.include('/userinfo');
  });

  it('need not provide the address of a person who has an account', async () => {
    answers = metadata();
    expect(await signInAs({ sub: 'v-3' })).to.equal(undefined);
    const email = 'viola@partner.example';
    expect(await signInAs({ sub: 'v-3', email, email_verified: true })).to.equal(email);
    expect(await signInAs({ sub: 'v-3' })).to.equal(email);
  });

  for (const verified of ['true', 1, undefined])
    it(`has verified no address of which it says ${JSON.stringify(verified)}`, async () => {
      answers = metadata();
      const claims = { sub: 'v-4', email: 'vlad@partner.example', email_verified: verified };
      expect(await signInAs(claims)).to.equal(undefined);
    });

  it('provides no address when the claim is not a string', async () => {
    answers = metadata();
    const claims = { sub: 'v-5', email: ['vlad@partner.example'], email_verified: true };
    expect(await signInAs(claims)).to.equal(undefined);
  });
});
