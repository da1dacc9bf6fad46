import { expect } from 'chai';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { SIGN_IN_RULES, signIn } from '../../src/oauth/signIn.js';
import { AuthorizationFixture } from './AuthorizationFixture.js';
import { Browser } from './Browser.js';
import type { OauthHarness } from './OauthHarness.js';

describe('The sign-in page of an authorization request', () => {
  let fixture: AuthorizationFixture;
  let harness: OauthHarness;

  before(async () => {
    fixture = await AuthorizationFixture.open();
    ({ harness } = fixture);
  });
  after(() => harness.close());

  it('has a strict content security policy and is not cached', async () => {
    const page = await new Browser(harness.baseUrl).open(fixture.address());
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy)
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'none'")
      .and.not.include('unsafe');
    expect(policy, 'as redirects lead to the partner, and on from there').not.to.include('form-action');
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(page.headers.get('cache-control')).to.equal('no-store');
  });

  it('shows the same error for a wrong password and an unknown address', async () => {
    const texts = await Promise.all(
      ['page@partner.example', 'nobody@partner.example'].map(async (email) => {
        const page = await new Browser(harness.baseUrl).open(fixture.address());
        const refused = await page.submit('/sign-in', { email, password: 'wrong' });
        expect(refused.status).to.equal(401);
        return /role="alert">(.*?)<\/div>/s.exec(refused.text)?.[1];
      }),
    );
    expect(texts[0]).to.be.a('string').and.equal(texts[1]);
  });

  it('is in German when the browser asks for it, and escapes the typed address', async () => {
    const page = await new Browser(harness.baseUrl, { 'accept-language': 'de-AT' }).open(fixture.address());
    const refused = await page.submit('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' });
    expect(refused.text).to.include('Anmelden').and.not.include('<script>alert');
  });

  it('refuses a form without its token or with the token of another browser', async () => {
    const victim = new Browser(harness.baseUrl);
    const page = await victim.open(fixture.address());
    const action = page.forms[0]?.action ?? '';
    expect((await victim.open(action, fixture.member)).status).to.equal(403);
    const attacker = await new Browser(harness.baseUrl).open(fixture.address());
    expect((await victim.open(action, { ...attacker.forms[0]?.fields, ...fixture.member })).status).to.equal(
      403,
    );
    expect(victim.cookie('account_session')).to.equal(undefined);
  });

  it('is shown again when the address of one of its forms is loaded', async () => {
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(fixture.address());
    for (const form of ['sign-in', 'decide', 'sign-out']) {
      const again = await browser.open(`${page.path}/${form}`);
      expect([again.path, again.status], form).to.deep.equal([page.path, 200]);
    }
  });

  it('refuses the authorization request of another browser', async () => {
    const page = await new Browser(harness.baseUrl).open(fixture.address());
    const other = await new Browser(harness.baseUrl).open(page.path);
    expect(other.status).to.equal(400);
  });

  it('starts a new session at each sign-in and ends the previous one', async () => {
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(fixture.address());
    browser.setCookie('account_session', 'planted-by-an-attacker-0123456789abcdefghij');
    await page.submit('/sign-in', fixture.member);
    const first = browser.cookie('account_session');
    expect(first).to.match(/^[\w-]{43}$/);
    const again = await browser.open(`${fixture.address()}&prompt=login`);
    await again.submit('/sign-in', fixture.member);
    expect(browser.cookie('account_session'))
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(first);
    const stale = new Browser(harness.baseUrl);
    stale.setCookie('account_session', first ?? '');
    expect((await stale.open(fixture.address())).text).to.include('type="password"');
  });

  it('ends the session on signing out', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    const token = browser.cookie('account_session') ?? '';
    const after = await approval.submit('/sign-out', {});
    expect(after.text).to.include('type="password"');
    const thief = new Browser(harness.baseUrl);
    thief.setCookie('account_session', token);
    expect((await thief.open(fixture.address())).text).to.include('type="password"');
  });

  it('says how long to wait when it throttles', async () => {
    const page = await new Browser(harness.baseUrl).open(fixture.address());
    const email = 'throttled@partner.example';
    const credentials = { email, password: 'wrong', address: '127.0.0.1' };
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1)
      await signIn(harness.node.services, credentials);
    const refused = await page.submit('/sign-in', { email, password: 'wrong' });
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
    expect(refused.text).to.match(/wait \d+ minutes/);
  });

  it('names the app of the request and refuses a request that has ended', async () => {
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(fixture.address());
    expect(page.text).to.include('Harbour Books');
    const approval = await page.submit('/sign-in', fixture.member);
    await approval.submit('/decide', { decision: 'allow' });
    const over = await browser.open(page.path);
    expect(over.status).to.equal(400);
    expect(over.text).to.include('This sign-in is over').and.not.include('<form');
    expect(over.text, 'and what to do').to.match(/<\/h1>\s*<p>\w/);
    const other = await browser.open(`${page.path}x`);
    expect([other.status, other.text.includes('This sign-in is over')]).to.deep.equal([400, true]);
  });

  it('keeps the typed address but not the password', async () => {
    const page = await new Browser(harness.baseUrl).open(fixture.address());
    expect(page.text).to.match(/name="email"[^>]* value=""/);
    expect(page.text).to.include('href="/forgot-password');
    const refused = await page.submit('/sign-in', { email: 'typed@partner.example', password: 'typed-too' });
    expect(refused.text).to.match(/name="email"[^>]* value="typed@partner\.example"/);
    expect(refused.text).to.not.include('typed-too');
    expect(refused.text).to.include('do not belong together');
    expect(refused.headers.get('content-security-policy')).to.include("connect-src 'self'");
  });

  it('asks for the password again when the client demands it, even just after a sign-in', async () => {
    const browser = new Browser(harness.baseUrl);
    await fixture.signIn(browser);
    for (const parameters of [
      { prompt: 'login' },
      { max_age: '0', scope: 'openid customers:read' },
      { prompt: 'login consent' },
    ]) {
      const page = await browser.open(fixture.address(parameters));
      expect(page.text, JSON.stringify(parameters)).to.include('type="password"');
      expect((await browser.open(page.path)).text, 'and again').to.include('type="password"');
    }
  });

  it('takes a session that began after the request for new, whatever max_age says', async () => {
    const browser = new Browser(harness.baseUrl);
    await fixture.signIn(browser);
    const page = await browser.open(fixture.address({ max_age: '0', scope: 'openid customers:read' }));
    expect(page.text).to.include('type="password"');
    // As after signing in by a passkey or by the upstream provider, which lead back here.
    await harness.sql(`UPDATE account_sessions SET created_at = now() + interval '2 seconds'`);
    expect((await browser.open(page.path)).text).to.not.include('type="password"');
  });

  /** Lets a session have begun at another second. */
  async function setBegin(token: string, seconds: number): Promise<void> {
    await harness.sql('UPDATE account_sessions SET created_at = to_timestamp($1) WHERE token_hash = $2', [
      seconds,
      hashSecretToken(token),
    ]);
  }

  const demands = {
    max_age: { max_age: '600', scope: 'openid customers:read' },
    prompt: { prompt: 'login' },
  };
  for (const [name, demand] of Object.entries(demands))
    it(`asks once for the new sign-in that ${name} demands and continues with its account`, async () => {
      for (const who of [fixture.member, await fixture.addPerson(`younger-${name}`)]) {
        const [browser, beside] = [new Browser(harness.baseUrl), new Browser(harness.baseUrl)];
        await fixture.signIn(beside);
        const token = beside.cookie('account_session') ?? '';
        await setBegin(token, Math.floor(Date.now() / 1000) - 3600);
        const { path } = await browser.open(fixture.address());
        browser.setCookie('account_session', token);
        expect((await browser.open(path)).text, 'as an hour ago').to.include('name="decision"');
        const page = await browser.open(fixture.address(demand));
        expect(page.text).to.include('type="password"');
        const approval = await page.submit('/sign-in', who);
        expect(approval.text).to.include(who.email).and.include('name="decision"');
        const { away } = await approval.submit('/decide', { decision: 'allow' });
        expect(away?.searchParams.get('code')).to.be.a('string');
      }
    });

  for (const minutes of [-5, 5])
    it(`takes a new sign-in as new where the machine is ${minutes} minutes off the database`, async () => {
      const { services } = harness.node;
      const { clock } = services;
      services.clock = () => new Date(clock().getTime() - minutes * 60_000);
      try {
        for (const demand of Object.values(demands)) {
          const browser = new Browser(harness.baseUrl);
          const page = await browser.open(fixture.address(demand));
          const approval = await page.submit('/sign-in', fixture.member);
          expect(approval.text).to.include('name="decision"');
          const { away } = await approval.submit('/decide', { decision: 'allow' });
          expect(away?.searchParams.get('code')).to.be.a('string');
          const old = await browser.open(fixture.address({ prompt: 'login' }));
          expect(old.text, 'the session began before').to.include('type="password"');
        }
      } finally {
        services.clock = clock;
      }
    });

  it('asks no password of a person whose session in another tab is within max_age', async () => {
    const [browser, beside] = [new Browser(harness.baseUrl), new Browser(harness.baseUrl)];
    await fixture.signIn(beside);
    const token = beside.cookie('account_session') ?? '';
    browser.setCookie('account_session', token);
    const ask = async (more: Record<string, string> = {}): Promise<string> => {
      const parameters = { max_age: '600', scope: 'openid customers:read', ...more };
      return (await browser.open(fixture.address(parameters))).text;
    };
    const ago = (seconds: number) => setBegin(token, Math.floor(Date.now() / 1000) - seconds);
    await ago(601);
    expect(await ask()).to.include('type="password"');
    await ago(300);
    expect(await ask({ prompt: 'login' }), 'the newest wish counts').to.include('type="password"');
    expect(await ask()).to.include('name="decision"');
  });

  it('accepts as a new sign-in only a session that began after the second of the request', async () => {
    const [browser, beside] = [new Browser(harness.baseUrl), new Browser(harness.baseUrl)];
    await fixture.signIn(beside);
    const token = beside.cookie('account_session') ?? '';
    const secondNow = () => Math.floor(Date.now() / 1000);
    let [page, second] = [await browser.open(fixture.address()), 0];
    do {
      second = secondNow();
      page = await browser.open(fixture.address({ prompt: 'login' }));
    } while (secondNow() !== second);
    browser.setCookie('account_session', token);
    const signedInAt = async (seconds: number): Promise<string> => {
      await setBegin(token, seconds);
      return (await browser.open(page.path)).text;
    };
    expect(await signedInAt(second + 0.999)).to.include('type="password"');
    expect(await signedInAt(second + 1)).to.include('name="decision"');
  });

  it('links to the upstream provider with the request as return address', async () => {
    const upstream = {
      ISSUER: 'https://id.example',
      CLIENT_ID: 'consent',
      CLIENT_SECRET: 's',
      LABEL: 'Harbour',
    };
    const env = Object.entries(upstream).map(([name, value]) => [`UPSTREAM_${name}`, value]);
    const { config } = await harness.addNode(Object.fromEntries(env));
    const page = await new Browser(config.baseUrl).open(fixture.address());
    expect(page.text).to.include('Continue with Harbour');
    const returnTo = new URLSearchParams({ return_to: page.path }).toString();
    expect(page.forms.map(({ action }) => action)).to.include(`/oauth/upstream/start?${returnTo}`);
  });

  it('continues without a form when the person has signed in elsewhere in the browser', async () => {
    const browser = new Browser(harness.baseUrl);
    const waiting = await browser.open(fixture.address());
    const beside = new Browser(harness.baseUrl);
    await fixture.signIn(beside);
    browser.setCookie('account_session', beside.cookie('account_session') ?? '');
    const approval = await browser.open(waiting.path);
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.get('code')).to.be.a('string');
  });

  it('asks no password of a person who signed in within max_age', async () => {
    const browser = new Browser(harness.baseUrl);
    await fixture.signIn(browser);
    const page = await browser.open(fixture.address({ max_age: '600', scope: 'openid customers:read' }));
    expect(page.text).to.include('name="decision"').and.not.include('type="password"');
  });

  it('says that the sign-in is over when the account is deleted during it', async () => {
    const who = await fixture.addPerson('leaving');
    const browser = new Browser(fixture.harness.baseUrl);
    const page = await browser.open(fixture.address());
    browser.beforeRedirect = async ({ pathname }) => {
      if (pathname.startsWith('/oauth/authorize/'))
        await fixture.harness.sql('DELETE FROM accounts WHERE email = $1', [who.email]);
    };
    const left = await page.submit('/sign-in', who);
    expect([left.status, left.headers.get('content-type')]).to.deep.equal([400, 'text/html; charset=utf-8']);
    expect(left.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(left.text).to.include('This sign-in is over');
    const approval = await (await browser.open(fixture.address())).submit('/sign-in', fixture.member);
    expect(approval.forms.map(({ action }) => action.replace(/.*\//, ''))).to.include('decide');
  });

  it('says that the sign-in is over when the app has been disabled', async () => {
    const closing = await harness.addApp();
    const page = await new Browser(harness.baseUrl).open(fixture.address({ client_id: closing.appId }));
    await harness.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [closing.appId]);
    const over = await page.submit('/sign-in', fixture.member);
    expect([over.status, over.text.includes('This sign-in is over')]).to.deep.equal([400, true]);
  });

  it('refuses the cookie of another request of the same browser', async () => {
    const browser = new Browser(harness.baseUrl);
    const first = await browser.open(fixture.address());
    await browser.open(fixture.address());
    for (const name of ['oauth_interaction', 'oauth_interaction.sig'])
      browser.setCookie(name, browser.cookie(name) ?? '', first.path);
    const page = await browser.open(first.path);
    expect([page.status, page.text.includes('This sign-in is over')]).to.deep.equal([400, true]);
  });

  it('answers 503 while the database is unreachable and works afterwards', async () => {
    const browser = new Browser(harness.baseUrl);
    const { path } = await browser.open(fixture.address());
    const { database } = harness;
    const read = database.read.bind(database);
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    database.read = () => Promise.reject(gone);
    const away = await browser.open(path);
    database.read = read;
    expect([away.status, away.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect((await browser.open(path)).text).to.include('type="password"');
  });

  it('is shown to a browser whose provider session does not exist', async () => {
    const browser = new Browser(harness.baseUrl);
    browser.setCookie('oauth_session', 'made-up');
    const page = await browser.open(fixture.address());
    expect([page.status, page.text.includes('type="password"')]).to.deep.equal([200, true]);
  });

  it('is not shown for a request without a scope or with an unknown scope', async () => {
    const errorOf = async (parameters: Record<string, string>, dropped?: string) => {
      const url = new URL(fixture.address(parameters), harness.baseUrl);
      if (dropped !== undefined) url.searchParams.delete(dropped);
      const { away } = await new Browser(harness.baseUrl).open(url.href);
      return ['error', 'error_description', 'scope'].map((name) => away?.searchParams.get(name));
    };
    const none = ['invalid_scope', 'scope is required', ''];
    expect(await errorOf({}, 'scope')).to.deep.equal(none);
    expect(await errorOf({ scope: '' })).to.deep.equal(none);
    const unknown = ['invalid_scope', 'requested scope is not allowed', 'customers:eat'];
    expect(await errorOf({ scope: 'customers:read customers:eat' })).to.deep.equal(unknown);
    for (const scope of [' ', 'customers:read  claims:read', ' customers:read'])
      expect((await errorOf({ scope }))[0], JSON.stringify(scope)).to.equal('invalid_scope');
  });

  it('is replaced by a translated error page when the redirect URI is invalid', async () => {
    const wrong = fixture.address({ redirect_uri: 'https://evil.example/' });
    const page = await new Browser(harness.baseUrl, { 'accept-language': 'de' }).open(wrong);
    expect([page.status, page.headers.get('content-language')]).to.deep.equal([400, 'de']);
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
    const varied = (page.headers.get('vary') ?? '').split(', ');
    expect(varied).to.include.members(['Accept', 'Accept-Language']);
    const chosen = new Browser(harness.baseUrl, { 'accept-language': 'en' });
    chosen.setCookie('language', 'de');
    expect((await chosen.open(wrong)).headers.get('content-language'), 'as chosen').to.equal('de');
    const english = await new Browser(harness.baseUrl).open(wrong);
    expect(english.text).to.include('This request cannot be completed');
    expect(english.text, 'and why').to.match(/<\/h1>\s*<p>\w/);
    expect(english.text).to.match(/<code>invalid_redirect_uri<\/code> \w/);
    const program = await fetch(harness.baseUrl + wrong, { headers: { accept: 'application/json' } });
    expect(program.headers.get('vary')).to.include('Accept');
    expect(program.headers.get('cache-control')).to.equal('no-store');
  });
});
