import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort } from '../support/freePort.js';
import { authorizationAddress } from '../oauth/authorizationAddress.js';
import { UpstreamProvider, upstreamSettings } from '../oauth/UpstreamProvider.js';
import { listen } from '../support/listen.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesHarness, PASSWORD } from './support/PagesHarness.js';
import { signInToDecide } from './support/tour.js';
import { Visitor } from './support/Visitor.js';

type Site = Awaited<ReturnType<typeof listen>>;

/** Sends the browser on to where `to` says. */
function passOn(request: IncomingMessage, response: ServerResponse): void {
  const to = new URL(request.url ?? '/', 'http://any').searchParams.get('to') ?? '';
  response.writeHead(302, { Location: to }).end();
}

function greet(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>Acme</title>Welcome back');
}

/** Browsers hold all redirects after a form to the `form-action` of its page. */
describeInBrowser('a form whose redirects lead to a site that sends the browser on to another one', () => {
  let harness: PagesHarness;
  let upstream: UpstreamProvider;
  let visitor: Visitor;
  let home: Site;
  let callback: Site;
  let redirectUri: string;

  before(async () => {
    const port = await freePort();
    [home, callback] = [await listen(greet), await listen(passOn)];
    redirectUri = `${callback.origin}/?to=${home.origin}/`;
    upstream = await UpstreamProvider.start(`http://localhost:${port}/oauth/upstream/callback`);
    upstream.detour = callback.origin;
    harness = await PagesHarness.open({
      PORT: String(port),
      ...upstreamSettings(upstream.issuer),
    });
    harness.partner = await harness.newPartner('Acme Outfitters', { redirect_uris: [redirectUri] });
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
    await upstream?.stop();
    await home?.close();
    await callback?.close();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('gets there from the page that allows a program', async () => {
    const email = await harness.newMember(['customers:read']);
    const page = await visitor.newPerson();
    const address = authorizationAddress({ appId: harness.partner.appId, secret: '' });
    const wanted = new URL(address, harness.baseUrl);
    wanted.searchParams.set('redirect_uri', redirectUri);
    await page.goto(wanted.href);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await press(page, 'Allow');
    await page.waitForURL(`${home.origin}/`);
  });

  it('gets there from the page that decides a connection', async () => {
    const page = await visitor.newPerson();
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: redirectUri });
    await signInToDecide(harness, page, link);
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${home.origin}/`);
    expect((await harness.session(session.id)).status).to.equal('authorized');
  });

  it('gets through the upstream provider', async () => {
    const { email } = await harness.newAccount();
    upstream.person = { sub: email, email, email_verified: true };
    const page = await visitor.newPerson();
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    await press(page, 'Continue with Harbour Login');
    await page.waitForURL(`${harness.baseUrl}/account`);
  });
});
