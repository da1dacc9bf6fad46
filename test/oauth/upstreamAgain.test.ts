import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { freePort } from '../support/freePort.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { authorizationAddress, CODE_VERIFIER } from './authorizationAddress.js';
import { Browser } from './Browser.js';
import type { Visit } from './Browser.js';
import { REDIRECT_URI } from './OauthHarness.js';
import { UpstreamProvider, upstreamSettings } from './UpstreamProvider.js';

const EMAIL = 'una@people.example';
const HOUR = 3600;

describe('Signing in again through an upstream provider that knows the browser', () => {
  let service: TestService;
  let upstream: UpstreamProvider;
  let app: TestPartner;
  let browser: Browser;
  let there: Browser;

  before(async () => {
    const port = await freePort();
    upstream = await UpstreamProvider.start(`http://127.0.0.1:${port}/oauth/upstream/callback`);
    service = await TestService.start({
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ...upstreamSettings(upstream.issuer),
    });
    app = await service.makeAppWith({ redirect_uris: [REDIRECT_URI] });
    upstream.person = { sub: 'u-1', email: EMAIL, email_verified: true };
  });
  after(async () => {
    await service.stop();
    await upstream.stop();
  });

  beforeEach(() => {
    upstream.isCareless = false;
    [browser, there] = [new Browser(service.url), new Browser(upstream.issuer)];
  });

  async function begin(page: Visit): Promise<URL> {
    const { away } = await page.submit('/oauth/upstream/start', {});
    return away ?? expect.fail(`The form did not lead to the upstream provider: ${page.status}`);
  }

  /** One press of the upstream provider's button on the page. */
  async function press(page: Visit, change = (_request: URL): void => {}): Promise<Visit> {
    const request = await begin(page);
    change(request);
    return browser.open((await upstream.visit(request, there)).href);
  }

  /** Signs in through the provider, where the person signed in that many seconds ago. */
  async function signIn(ago = HOUR): Promise<Visit> {
    upstream.signInAge = ago;
    const page = await press(await browser.open('/sign-in?return_to=/account'));
    upstream.signInAge = 0;
    return page;
  }

  async function memberNow(): Promise<void> {
    await service.sql(
      `INSERT INTO app_members SELECT $1, account_id, $2, now(), now() FROM accounts WHERE email = $3
         ON CONFLICT DO NOTHING`,
      [app.appId, [...ALL_SCOPES], EMAIL],
    );
  }

  const address = (parameters: Record<string, string>): string =>
    authorizationAddress({ appId: app.appId, secret: '' }, { scope: 'openid', ...parameters });

  it('asks nobody at the first sign-in in a browser', async () => {
    await signIn();
    browser = new Browser(service.url);
    const before = upstream.signIns;
    expect((await signIn()).path).to.equal('/account');
    expect(upstream.signIns).to.equal(before);
  });

  it('asks the person before a sensitive change, and counts as fresh then', async () => {
    await signIn();
    const before = upstream.signIns;
    const page = await browser.open('/account/delete');
    expect(page.path).to.equal('/sign-in');
    expect((await press(page)).path).to.equal('/account/delete');
    expect(upstream.signIns).to.equal(before + 1);
  });

  it('asks the person after a change that was refused because the sign-in is old', async () => {
    const account = await signIn();
    const before = upstream.signIns;
    const page = await account.submit('/account/password', { password: 'harvest lantern cobalt six' });
    expect((await press(page)).path).to.equal('/account');
    expect(upstream.signIns).to.equal(before + 1);
  });

  it('is fresh when the person signed in at the provider a moment ago', async () => {
    await signIn(60);
    expect((await browser.open('/account/delete')).path).to.equal('/account/delete');
  });

  it('is not fresh because the browser signs out and in without being asked', async () => {
    const account = await signIn();
    await account.submit('/sign-out', {});
    const before = upstream.signIns;
    expect((await signIn()).path).to.equal('/account');
    expect(upstream.signIns).to.equal(before);
    expect((await browser.open('/account/delete')).path).to.equal('/sign-in');
  });

  const tampered: [string, (request: URLSearchParams) => void][] = [
    ['nothing', (request) => request.delete('max_age')],
    ['only when they signed in', (request) => request.set('max_age', '99999999')],
  ];
  for (const [title, change] of tampered)
    for (const path of ['/account/delete', 'prompt=login'])
      it(`is refused for ${path} when the browser has the provider asked for ${title}`, async () => {
        await signIn();
        await memberNow();
        const page = await browser.open(path === 'prompt=login' ? address({ prompt: 'login' }) : path);
        const refused = await press(page, ({ searchParams }) => {
          searchParams.delete('prompt');
          change(searchParams);
        });
        expect(refused.status).to.equal(400);
        expect((await browser.open('/account/delete')).path).to.equal('/sign-in');
      });

  it('is refused when the provider does not tell when the person signed in', async () => {
    upstream.isCareless = true;
    expect((await signIn()).path, 'the first sign-in').to.equal('/account');
    const page = await browser.open('/account/delete');
    expect(page.path).to.equal('/sign-in');
    expect((await press(page)).status).to.equal(400);
    expect((await browser.open('/account/delete')).path).to.equal('/sign-in');
  });

  for (const parameters of [{ prompt: 'login' }, { max_age: '0' }, { max_age: '60' }])
    it(`asks the person for ${JSON.stringify(parameters)}`, async () => {
      await signIn();
      await memberNow();
      const before = upstream.signIns;
      const page = await browser.open(address(parameters));
      // A sign-in in the very second of the request may be older.
      await setTimeout(1001);
      const begunAt = Math.floor(Date.now() / 1000);
      const approval = await press(page);
      expect(upstream.signIns).to.equal(before + 1);
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      const answer = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: away?.searchParams.get('code') ?? '',
          redirect_uri: REDIRECT_URI,
          code_verifier: CODE_VERIFIER,
          client_id: app.appId,
          client_secret: app.clientSecret,
        }),
      });
      const { id_token } = (await answer.json()) as { id_token: string };
      expect(decodeJwt(id_token)['auth_time']).to.be.at.least(begunAt);
    });
});
