import { expect } from 'chai';
import * as client from 'openid-client';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../support/freePort.js';
import { addMember } from '../../src/accounts/addMember.js';
import { UpstreamProvider, upstreamSettings } from '../oauth/UpstreamProvider.js';
import { axeViolations } from './support/axe.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';
import { newOperator, tourAuthorize } from './support/tourAuthorize.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('signing in and authorizing, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let upstream: UpstreamProvider;

  before(async () => {
    const port = await freePort();
    upstream = await UpstreamProvider.start(`http://localhost:${port}/oauth/upstream/callback`);
    harness = await PagesHarness.open({
      PORT: String(port),
      ...upstreamSettings(upstream.issuer),
    });
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
    await upstream?.stop();
  });

  function newAccount(scopes?: string[]): Promise<string> {
    return newOperator(harness, scopes);
  }

  interface Attempt {
    configuration: client.Configuration;
    address: string;
    verifier: string;
    state: string;
  }

  /**
   * As the partner's program begins it; the app of the pages' tests is confidential, its secret known to the
   * harness only.
   */
  async function begin(parameters: Record<string, string> = {}): Promise<Attempt> {
    const { appId } = harness.partner;
    const configuration = await client.discovery(new URL(harness.baseUrl), appId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
      algorithm: 'oauth2',
    });
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()];
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: harness.redirectUri,
      scope: 'customers:read profile:read offline_access',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { configuration, address: address.href, verifier, state };
  }

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function back(page: Page): Promise<URLSearchParams> {
    await page.waitForURL((url) => url.href.startsWith(harness.redirectUri));
    return new URL(page.url()).searchParams;
  }

  it('gives the partner a code after sign-in and approval, with scopes in plain words', async () => {
    const email = await newAccount(['customers:read', 'profile:read', 'offline_access']);
    const { address, state } = await begin();
    const page = await visitor.newPerson();
    const blocked = consoleErrors(page);
    await page.goto(address);
    await signIn(page, email);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(`Allow ${PARTNER}?`);
    expect(await page.getByRole('listitem').allTextContents()).to.deep.equal([
      'See customers customers:read',
      'See profiles of customers, as far as they agreed profile:read',
      'Stay signed in until you sign out or access is taken away offline_access',
    ]);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const answer = await back(page);
    expect(answer.get('code')).to.match(/^[\w-]{43}$/);
    expect([answer.get('state'), answer.get('iss'), answer.get('shop')]).to.deep.equal([
      state,
      harness.baseUrl,
      '1',
    ]);
    expect(blocked, 'blocked by the content security policy').to.deep.equal([]);
  });

  it('serves a public client end to end with PKCE', async () => {
    const { database } = harness.running.services;
    const email = await newAccount();
    const redirectUri = new URL('/desk', harness.redirectUri).href;
    const app = await harness.attempt(
      'POST',
      '/v1/apps',
      {
        name: 'Acme Desk',
        client_type: 'public',
        redirect_uris: [redirectUri],
        allowed_scopes: ['customers:read'],
      },
      { 'x-service-admin-key': 'admin-key-of-the-tests' },
    );
    const appId = String(app.body['app_id']);
    await addMember(database, { appId, email, scopes: ['customers:read'] }, new Date());
    const attempt = await begin({ client_id: appId, redirect_uri: redirectUri, scope: 'customers:read' });
    const page = await visitor.newPerson();
    await page.goto(attempt.address);
    await signIn(page, email);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(`${redirectUri}?**`);
    const configuration = await client.discovery(new URL(harness.baseUrl), appId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
      algorithm: 'oauth2',
    });
    const checks = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state };
    const { access_token: token } = await client.authorizationCodeGrant(
      configuration,
      new URL(page.url()),
      checks,
    );
    const read = await harness.attempt('GET', '/v1/customers', undefined, {
      Authorization: `Bearer ${token}`,
    });
    expect(read.status).to.equal(200);
  });

  it('posts the answer when the partner asks for form_post', async () => {
    const email = await newAccount(['customers:read']);
    const page = await visitor.newPerson();
    await page.goto((await begin({ scope: 'customers:read', response_mode: 'form_post' })).address);
    await signIn(page, email);
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url() === harness.redirectUri,
    );
    const form = page.waitForResponse((response) => response.url().includes('/oauth/authorize/'));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(new URLSearchParams((await posted).postData() ?? '').get('code')).to.match(/^[\w-]{43}$/);
    const headers = (await form).headers();
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none';script-src 'sha256-[\w+/=]{44}';base-uri 'none';frame-ancestors 'none'$/,
    );
    expect(headers['x-frame-options']).to.equal('DENY');
  });

  it("knows a person who is signed in when another site's page posts the request", async () => {
    const email = await newAccount(['customers:read']);
    const page = await visitor.newPerson();
    await page.goto((await begin({ scope: 'customers:read' })).address);
    await signIn(page, email);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await back(page);
    const { address, state } = await begin({ scope: 'customers:read' });
    const { origin, pathname, searchParams } = new URL(address);
    const fields = [...searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`);
    const form = `<form method="post" action="${origin}${pathname}">${fields.join('')}<button>Go</button></form>`;
    const elsewhere = 'https://elsewhere.example/';
    await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: form }));
    await page.goto(elsewhere);
    await page.getByRole('button', { name: 'Go' }).click();
    const answer = await back(page);
    expect(answer.get('code')).to.match(/^[\w-]{43}$/);
    expect(answer.get('state')).to.equal(state);
  });

  it('tells the partner when the person does not allow it', async () => {
    const email = await newAccount(['customers:read']);
    const page = await visitor.newPerson();
    await page.goto((await begin()).address);
    await signIn(page, email);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    expect((await back(page)).get('error')).to.equal('access_denied');
  });

  it('shows an error after a wrong password without saying which part was wrong', async () => {
    const email = await newAccount(['customers:read']);
    const page = await visitor.newPerson();
    await page.goto((await begin()).address);
    await signIn(page, email, 'not the password');
    expect(await page.getByRole('alert').textContent()).to.include('do not belong together');
    expect(await page.getByLabel('E-mail address').inputValue()).to.equal(email);
    expect(await page.getByLabel('Password').inputValue()).to.equal('');
    await signIn(page, email);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  });

  it('refuses a person who is not a member and offers another account', async () => {
    const [stranger, member] = [await newAccount(), await newAccount(['customers:read'])];
    const page = await visitor.newPerson();
    await page.goto((await begin()).address);
    await signIn(page, stranger);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'You do not have access to this app',
    );
    await page.getByRole('button', { name: 'Use another account' }).click();
    await signIn(page, member);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect((await back(page)).has('code')).to.equal(true);
  });

  it('signs out from the approval page', async () => {
    const email = await newAccount(['customers:read']);
    const page = await visitor.newPerson();
    await page.goto((await begin()).address);
    await signIn(page, email);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.context().cookies()).to.satisfy((cookies: { name: string }[]) =>
      cookies.every(({ name }) => name !== 'account_session'),
    );
  });

  it('signs in through the upstream provider and returns to the request', async () => {
    const email = await newAccount(['customers:read']);
    upstream.person = { sub: email, email, email_verified: true };
    const page = await visitor.newPerson();
    const blocked = consoleErrors(page);
    await page.goto((await begin()).address);
    await page.getByRole('button', { name: 'Continue with Harbour Login' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect((await back(page)).has('code')).to.equal(true);
    expect(blocked, 'blocked by the content security policy').to.deep.equal([]);
  });

  it('signs in to pages of the service through the upstream provider', async () => {
    const email = await newAccount();
    upstream.person = { sub: email, email, email_verified: true };
    const page = await visitor.newPerson();
    await page.goto(`${harness.baseUrl}/connections`);
    await page.getByRole('button', { name: 'Continue with Harbour Login' }).click();
    await page.waitForURL(`${harness.baseUrl}/connections`);
    expect(await page.locator('header').textContent()).to.include(email);
  });

  const looks: [string, 'en' | 'de', BrowserContextOptions, typeof itInProofs][] = [
    ['light', 'en', { colorScheme: 'light' }, it],
    ['dark, in German', 'de', { colorScheme: 'dark', locale: 'de-DE' }, itInProofs],
    ['on a small phone', 'en', { viewport: { width: 320, height: 640 } }, itInProofs],
  ];
  for (const [title, language, options, itOnPages] of looks) {
    itOnPages(`has no axe-core violation and fits the window: ${title}`, async () => {
      const page = await visitor.newPerson(options);
      const problems: string[] = [];
      await tourAuthorize(harness, page, language, async (name) => {
        const width = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        problems.push(...(await axeViolations(page)).map((problem) => `${name}: ${problem}`));
        if (width !== 0) problems.push(`${name}: ${String(width)} pixels too wide`);
      });
      expect(problems).to.deep.equal([]);
    });
  }
});

function consoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}
