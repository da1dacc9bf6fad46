import { expect } from 'chai';
import { SIGN_IN_RULES, signIn } from '../../src/oauth/signIn.js';
import { Browser } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, PASSWORD, REDIRECT_URI } from './OauthHarness.js';

describe('The sign-in page of an authorization request', () => {
  let harness: OauthHarness;
  let app: TestApp;
  let address: string;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
    const parameters = {
      client_id: app.appId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'customers:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    address = `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
    await harness.addAccount('page@partner.example', { [app.appId]: ['customers:read'] });
  });

  after(() => harness.close());

  const SIGN_IN = { email: 'page@partner.example', password: PASSWORD };

  it('is under a strict policy and stored nowhere', async () => {
    const page = await new Browser(harness.baseUrl).open(address);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy)
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'none'")
      .and.not.include('unsafe');
    expect(policy).to.include("form-action 'self' https://partner.example");
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(page.headers.get('cache-control')).to.equal('no-store');
  });

  it('names what is wrong without telling which', async () => {
    const texts = await Promise.all(
      ['page@partner.example', 'nobody@partner.example'].map(async (email) => {
        const page = await new Browser(harness.baseUrl).open(address);
        const refused = await page.submit('/sign-in', { email, password: 'wrong' });
        expect(refused.status).to.equal(401);
        return /role="alert">(.*?)<\/div>/s.exec(refused.text)?.[1];
      }),
    );
    expect(texts[0]).to.be.a('string').and.equal(texts[1]);
  });

  it('speaks German to whom asks for it, and escapes what was typed', async () => {
    const page = await new Browser(harness.baseUrl, { 'accept-language': 'de-AT' }).open(address);
    const refused = await page.submit('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' });
    expect(refused.text).to.include('Anmelden').and.not.include('<script>alert');
  });

  it('refuses a form without its token, or with that of another browser', async () => {
    const victim = new Browser(harness.baseUrl);
    const page = await victim.open(address);
    const action = page.forms[0]?.action ?? '';
    expect((await victim.open(action, SIGN_IN)).status).to.equal(403);
    const attacker = await new Browser(harness.baseUrl).open(address);
    expect((await victim.open(action, { ...attacker.forms[0]?.fields, ...SIGN_IN })).status).to.equal(403);
    expect(victim.cookie('account_session')).to.equal(undefined);
  });

  it("does nothing on another browser's authorization request", async () => {
    const page = await new Browser(harness.baseUrl).open(address);
    const other = await new Browser(harness.baseUrl).open(page.path);
    expect(other.status).to.equal(400);
  });

  it('gives a fresh session at each sign-in and ends the one before (fixation)', async () => {
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(address);
    browser.setCookie('account_session', 'planted-by-an-attacker-0123456789abcdefghij');
    await page.submit('/sign-in', SIGN_IN);
    const first = browser.cookie('account_session');
    expect(first).to.match(/^[\w-]{43}$/);
    const again = await browser.open(`${address}&prompt=login`);
    await again.submit('/sign-in', SIGN_IN);
    expect(browser.cookie('account_session'))
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(first);
    const stale = new Browser(harness.baseUrl);
    stale.setCookie('account_session', first ?? '');
    expect((await stale.open(address)).text).to.include('type="password"');
  });

  it('ends the session on signing out', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    const token = browser.cookie('account_session') ?? '';
    const after = await approval.submit('/sign-out', {});
    expect(after.text).to.include('type="password"');
    const thief = new Browser(harness.baseUrl);
    thief.setCookie('account_session', token);
    expect((await thief.open(address)).text).to.include('type="password"');
  });

  it('throttles with a page that says how long', async () => {
    const page = await new Browser(harness.baseUrl).open(address);
    const email = 'throttled@partner.example';
    const credentials = { email, password: 'wrong', address: '127.0.0.1' };
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1)
      await signIn(harness.node.services, credentials);
    const refused = await page.submit('/sign-in', { email, password: 'wrong' });
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
    expect(refused.text).to.match(/wait \d+ minutes/);
  });

  /** The same request, with other parameters. */
  function request(parameters: Record<string, string>): string {
    const [path = '', search = ''] = address.split('?');
    return `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(search)), ...parameters }).toString()}`;
  }

  async function member(name: string, memberOf = app): Promise<{ email: string; password: string }> {
    const email = `${name}@partner.example`;
    await harness.addAccount(email, { [memberOf.appId]: ['customers:read', 'offline_access'] });
    return { email, password: PASSWORD };
  }

  it('says over which request it is, and over none that has ended', async () => {
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(address);
    expect(page.text).to.include('Harbour Books');
    const approval = await page.submit('/sign-in', SIGN_IN);
    await approval.submit('/decide', { decision: 'allow' });
    const over = await browser.open(page.path);
    expect(over.status).to.equal(400);
    expect(over.text).to.include('This sign-in is over').and.not.include('<form');
    const other = await browser.open(`${page.path}x`);
    expect([other.status, other.text.includes('This sign-in is over')]).to.deep.equal([400, true]);
  });

  it('keeps the address that was typed, and nothing of the password', async () => {
    const page = await new Browser(harness.baseUrl).open(address);
    expect(page.text).to.match(/name="email"[^>]* value=""/);
    const refused = await page.submit('/sign-in', { email: 'typed@partner.example', password: 'typed-too' });
    expect(refused.text).to.match(/name="email"[^>]* value="typed@partner\.example"/);
    expect(refused.text).to.not.include('typed-too');
    expect(refused.text).to.include('do not belong together');
    expect(refused.headers.get('content-security-policy')).to.include("connect-src 'self'");
  });

  it('refuses forms of the approval page without their token, or with that of another session', async () => {
    const [browser, other] = [new Browser(harness.baseUrl), new Browser(harness.baseUrl)];
    const approval = await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    const foreign = await (await other.open(address)).submit('/sign-in', await member('foreign'));
    for (const end of ['/decide', '/sign-out']) {
      const form = (page: typeof approval) =>
        page.forms.find(({ action }) => action.endsWith(end)) ?? expect.fail(`There is no form to ${end}.`);
      for (const fields of [{}, form(foreign).fields]) {
        const refused = await browser.open(form(approval).action, { ...fields, decision: 'allow' });
        expect([refused.status, refused.away], end).to.deep.equal([403, undefined]);
        expect(refused.text, 'leads back').to.include(`href="${approval.path}"`);
      }
    }
    expect((await browser.open(approval.path)).text, 'still signed in').to.include('name="decision"');
  });

  it('decides nothing for whoever is not signed in any more', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    browser.setCookie('account_session', '');
    const page = await approval.submit('/decide', { decision: 'allow' });
    expect([page.away, page.status]).to.deep.equal([undefined, 200]);
    expect(page.text).to.include('type="password"');
  });

  it('begins again for another person who signed in meanwhile, and grants them nothing unasked', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    const second = new Browser(harness.baseUrl);
    await (await second.open(address)).submit('/sign-in', await member('second'));
    browser.setCookie('account_session', second.cookie('account_session') ?? '');
    const decided = await approval.submit('/decide', { decision: 'allow' });
    expect(decided.away).to.equal(undefined);
    expect(decided.text).to.include('second@partner.example').and.include('name="decision"');
    expect(decided.path).to.not.equal(approval.path);
  });

  it('asks for the password again where the client insists, also of who signed in a moment before', async () => {
    const browser = new Browser(harness.baseUrl);
    await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    for (const parameters of [
      { prompt: 'login' },
      { max_age: '0', scope: 'openid customers:read' },
      { prompt: 'login consent' },
    ]) {
      const page = await browser.open(request(parameters));
      expect(page.text, JSON.stringify(parameters)).to.include('type="password"');
      expect((await browser.open(page.path)).text, 'and again').to.include('type="password"');
    }
  });

  it('goes on by itself for whoever signed in beside it meanwhile', async () => {
    const browser = new Browser(harness.baseUrl);
    const waiting = await browser.open(address);
    const beside = new Browser(harness.baseUrl);
    await (await beside.open(address)).submit('/sign-in', SIGN_IN);
    browser.setCookie('account_session', beside.cookie('account_session') ?? '');
    const approval = await browser.open(waiting.path);
    const { away } = await approval.submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.get('code')).to.be.a('string');
  });

  it('asks nobody who signed in within the age that the client allows', async () => {
    const browser = new Browser(harness.baseUrl);
    await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    const page = await browser.open(request({ max_age: '600', scope: 'openid customers:read' }));
    expect(page.text).to.include('name="decision"').and.not.include('type="password"');
  });

  it('tells the client of who is no member when they go back, and not before', async () => {
    const email = 'no-member@partner.example';
    await harness.addAccount(email);
    const browser = new Browser(harness.baseUrl);
    const refused = await (await browser.open(address)).submit('/sign-in', { email, password: PASSWORD });
    expect([refused.status, refused.away]).to.deep.equal([403, undefined]);
    expect(refused.text).to.include(email);
    const forced = await refused.submit('/decide', { decision: 'allow' });
    expect([forced.status, forced.away]).to.deep.equal([403, undefined]);
    const { away } = await refused.submit('/decide', { decision: 'deny' });
    expect(away?.searchParams.get('error')).to.equal('access_denied');
    expect(away?.searchParams.get('error_description')).to.equal('the account holder did not allow it');
  });

  it('has nothing to approve for a member none of whose scopes is asked for', async () => {
    const email = 'narrow@partner.example';
    await harness.addAccount(email, { [app.appId]: ['claims:read'] });
    const page = await new Browser(harness.baseUrl).open(address);
    expect((await page.submit('/sign-in', { email, password: PASSWORD })).status).to.equal(403);
  });

  it('tells who signs in of the address that they give away, to a client that asks for it', async () => {
    const who = await member('addressed');
    const page = await new Browser(harness.baseUrl).open(request({ scope: 'openid email customers:read' }));
    const asked = await page.submit('/sign-in', who);
    const plain = await (await new Browser(harness.baseUrl).open(address)).submit('/sign-in', who);
    const items = (text: string): number => text.split('<li').length;
    expect(items(asked.text)).to.equal(items(plain.text) + 1);
  });

  it('asks for approval of offline access, whatever the client says of prompts', async () => {
    const who = await member('offline');
    const scope = 'customers:read offline_access';
    for (const parameters of [{}, { prompt: 'consent' }, { prompt: 'login' }]) {
      const browser = new Browser(harness.baseUrl);
      const approval = await (await browser.open(request({ scope, ...parameters }))).submit('/sign-in', who);
      expect(approval.text, JSON.stringify(parameters)).to.include('offline_access');
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      expect(away?.searchParams.get('code')).to.be.a('string');
      const again = await browser.open(request({ scope }));
      expect(again.text, 'and asks each time').to.include('offline_access').and.include('name="decision"');
      const silent = await browser.open(request({ scope, prompt: 'none' }));
      expect(silent.status, 'but no page where none is wanted').to.not.equal(200);
    }
  });

  it('gives no approval of one person to the next of the same browser', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await (await browser.open(address)).submit('/sign-in', SIGN_IN);
    await approval.submit('/decide', { decision: 'allow' });
    expect((await browser.open(address)).away?.searchParams.has('code'), 'approved before').to.equal(true);
    const next = new Browser(harness.baseUrl);
    await (await next.open(address)).submit('/sign-in', await member('next'));
    browser.setCookie('account_session', next.cookie('account_session') ?? '');
    const page = await browser.open(address);
    expect(page.away).to.equal(undefined);
    expect(page.text).to.include('next@partner.example');
    browser.setCookie('account_session', '');
    const left = await browser.open(address);
    expect(left.away).to.equal(undefined);
    expect(left.text, 'nor to nobody').to.include('type="password"');
  });

  it('is a page in the language of the person where a request cannot be sent back', async () => {
    const wrong = request({ redirect_uri: 'https://evil.example/' });
    const page = await new Browser(harness.baseUrl, { 'accept-language': 'de' }).open(wrong);
    expect([page.status, page.headers.get('content-language')]).to.deep.equal([400, 'de']);
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
    const varied = (page.headers.get('vary') ?? '').split(', ');
    expect(varied).to.include.members(['Accept', 'Accept-Language']);
    const english = await new Browser(harness.baseUrl).open(wrong);
    expect(english.text).to.include('This request cannot be completed');
    expect(english.text).to.match(/<code>invalid_redirect_uri<\/code> \w/);
    const program = await fetch(harness.baseUrl + wrong, { headers: { accept: 'application/json' } });
    expect(program.headers.get('vary')).to.include('Accept');
    expect(program.headers.get('cache-control')).to.equal('no-store');
  });
});
