import { expect } from 'chai';
import type { BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';
import { comeToDecide, decisionShown, signInToDecide } from './support/tour.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('connecting an account, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let signedIn: Cookie[] = [];

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  /** A browser profile in which the person has signed in to their account, and nothing else. */
  async function member(options?: BrowserContextOptions): Promise<Page> {
    if (signedIn.length === 0) {
      const page = await visitor.newPerson();
      await signInToDecide(harness, page, (await harness.newSession()).connection_url);
      const cookies = await page.context().cookies();
      signedIn = cookies.filter(({ name }) => name === 'account_session');
    }
    return visitor.newPersonWith(signedIn, options);
  }

  /** From the link to the page where the person decides. */
  async function goToDecide(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await decisionShown(page);
  }

  async function decide(link: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await member(options);
    await goToDecide(page, link);
    return page;
  }

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent();

  it('approves a subset and goes back to the partner', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const page = await visitor.newPerson();
    await comeToDecide(page, link);
    expect(page.url(), 'no secret in the address').to.equal(`${harness.baseUrl}/connect/${session.id}`);
    expect(await page.getByRole('checkbox', { checked: true }).count(), 'nothing ticked beforehand').to.equal(
      0,
    );
    await page.getByLabel('Link your accounts').check();
    await page.getByLabel('Understand how its service is used').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${harness.redirectUri}&session_id=${session.id}&status=authorized`);
    const polled = await harness.session(session.id);
    expect(polled.status).to.equal('authorized');
    expect(polled['service_user_id']).to.match(/^acc_/);
    const receipt = (purposes: string[]) =>
      harness.attempt('POST', '/v1/consent-receipts', {
        customer_id: harness.partner.customerId,
        connection_session_id: session.id,
        purposes,
      });
    expect((await receipt(['account_linking', 'personalization'])).status, 'more than was approved').to.equal(
      422,
    );
    const recorded = await receipt(['account_linking', 'analytics']);
    expect(recorded.status).to.equal(201);
    const { status, consent_receipt_id: receiptId } = await harness.session(session.id);
    expect([status, receiptId]).to.deep.equal(['completed', recorded.body['id']]);
    await page.goto(`${harness.baseUrl}/connect/${session.id}`);
    expect(await heading(page)).to.equal('This connection is complete');
  });

  it('does not send the person to an address that the partner has lost meanwhile', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const page = await decide(link);
    const change = (by: string): Promise<unknown> =>
      harness.sql(`UPDATE apps SET redirect_uris = ${by}(redirect_uris, $1)`, [harness.redirectUri]);
    await change('array_remove');
    try {
      await page.getByLabel('Link your accounts').check();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.waitForURL(`${harness.baseUrl}/connect/${session.id}`);
      expect((await harness.session(session.id)).status).to.equal('authorized');
    } finally {
      await change('array_append');
    }
  });

  it('offers and records no purpose that the partner may not use any more', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const next = await harness.newSession();
    const page = await decide(link);
    const analytics = page.getByLabel('Understand how its service is used');
    await analytics.check();
    await page.getByLabel('Link your accounts').check();
    const allow = (purposes: string[] | null): Promise<unknown> =>
      harness.sql('UPDATE apps SET allowed_consent_purposes = $1', [purposes]);
    await allow(['account_linking']);
    try {
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.waitForURL(/status=authorized/);
      const { approved_purposes: approved } = await harness.session(session.id);
      expect(approved, 'ticked on the page as it was before').to.deep.equal(['account_linking']);
      const other = await decide(next.connection_url);
      expect(await other.getByRole('checkbox').count(), 'on a page made now').to.equal(1);
      await allow([]);
      await other.reload();
      expect(await other.locator('main').textContent()).to.include('there is nothing to approve here');
      expect(await other.getByRole('button', { name: 'Approve' }).count()).to.equal(0);
      await other.getByRole('button', { name: 'Decline everything' }).click();
      await other.waitForURL(/status=revoked/);
    } finally {
      await allow(null);
    }
  });

  itInProofs('fits seven purposes into two phone screens, folded, and toggles them with Enter', async () => {
    const seven = ['account_linking', 'personalization', 'analytics', 'support', 'event_enrichment'];
    seven.push('profile_resolution', 'measurement');
    const { session, connection_url: link } = await harness.newSession({ requested_purposes: seven });
    const page = await decide(link, { viewport: { width: 390, height: 844 } });
    expect(await page.getByRole('checkbox').count()).to.equal(7);
    expect(await page.evaluate('document.documentElement.scrollHeight')).to.be.at.most(2 * 844);
    const box = page.getByLabel('Measure results');
    await box.focus();
    await page.keyboard.press('Enter');
    expect(await box.isChecked()).to.equal(true);
    await page.keyboard.press('Enter');
    expect(await box.isChecked()).to.equal(false);
    expect((await harness.session(session.id)).status, 'nothing was sent').to.equal('created');
    await page.getByText('What this means').first().click();
    expect(await page.locator('details[open]').textContent()).to.include(`${PARTNER} may recognise`);
  });

  it('shows the logo, home page and documents of the app that the operator has set', async () => {
    const page = await member();
    const errors: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    await goToDecide(page, (await harness.newSession()).connection_url);
    const logo = page.locator('img.logo');
    expect(
      await logo.evaluate((image: { naturalWidth: number }) => image.naturalWidth),
      'it is shown',
    ).to.equal(192);
    const home = 'https://www.acme.example/';
    for (const [name, href] of [
      ['www.acme.example', home],
      ['terms of service', `${home}terms`],
      ['privacy policy', `${home}privacy`],
    ] as const) {
      const link = page.getByRole('link', { name });
      expect(await link.getAttribute('href')).to.equal(href);
      expect(await link.getAttribute('rel')).to.equal('noopener noreferrer');
      expect(await link.getAttribute('target'), 'what is ticked stays').to.equal('_blank');
    }
    expect(await page.locator('main').textContent(), 'the browser goes elsewhere').to.include(
      `Afterwards you go on to ${new URL(harness.redirectUri).host}.`,
    );
    expect(errors).to.deep.equal([]);
    const unknown = await harness.newPartner('Nettle News');
    await page.goto((await harness.newSession({}, unknown)).connection_url);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'What may Nettle News do?' }).waitFor();
    expect(await logo.count()).to.equal(0);
    expect(await page.getByRole('link', { name: /terms|privacy/ }).count(), 'no link to nowhere').to.equal(0);
    expect(await page.locator('main').textContent()).to.include('Nettle News has its own terms of service');
  });

  it('asks again when nothing is ticked, and changes nothing', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const page = await decide(link);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('alert').textContent()).to.include('Tick at least one purpose');
    expect((await harness.session(session.id))?.status).to.equal('created');
  });

  it('declines and returns, or shows a closing page without a return address', async () => {
    const first = await harness.newSession();
    const page = await decide(first.connection_url);
    await page.getByRole('button', { name: 'Decline everything' }).click();
    await page.waitForURL(`${harness.redirectUri}&session_id=${first.session.id}&status=revoked`);
    expect((await harness.session(first.session.id))?.status).to.equal('revoked');
    await page.goto((await harness.newSession()).connection_url);
    expect(await page.getByText('You go back to').count(), 'with a return address').to.equal(1);
    const second = await harness.newSession({ redirect_uri: undefined });
    await page.goto(second.connection_url);
    expect(await page.getByText('You go back to').count(), 'without one').to.equal(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    const closing = page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/connect/'),
    );
    await page.getByRole('button', { name: 'Decline everything' }).click();
    expect((await closing).status(), 'not a failure').to.equal(200);
    expect(await heading(page)).to.equal('You declined');
    expect(await page.getByText('close this window').count()).to.equal(1);
    expect((await harness.session(second.session.id))?.status).to.equal('revoked');
  });

  it('shows what was approved when there is no return address', async () => {
    const { connection_url: link } = await harness.newSession({ redirect_uri: undefined });
    const page = await decide(link);
    await page.getByLabel('Personalise what you see').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('listitem').allTextContents()).to.deep.equal(['Personalise what you see']);
  });

  it('works after a mail scanner has opened the link many times', async () => {
    const { session, connection_url: link } = await harness.newSession();
    for (let scans = 0; scans < 3; scans += 1) {
      const answer = await fetch(link);
      expect(answer.status).to.equal(200);
      await answer.text();
    }
    await decide(link);
    expect((await harness.session(session.id))?.status).to.equal('created');
  });

  it('works without JavaScript', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const page = await visitor.newPerson({ javaScriptEnabled: false });
    await comeToDecide(page, link);
    expect(await page.getByRole('timer').textContent()).to.include('This page is valid until');
    await page.getByLabel('Link your accounts').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${harness.redirectUri}&**`);
    expect((await harness.session(session.id))?.status).to.equal('authorized');
  });

  it('counts down and reports the expiry in the open page and when the form is sent', async () => {
    const first = await harness.newSession({ expires_in: 60 });
    const page = await decide(first.connection_url, { javaScriptEnabled: false });
    await page.getByLabel('Link your accounts').check();
    harness.passSeconds(61);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await heading(page)).to.equal('The time for this link is over');
    expect((await harness.session(first.session.id))?.status).to.equal('expired');
    const second = await harness.newSession({ expires_in: 60 });
    const lively = await decide(second.connection_url);
    expect(await lively.getByRole('timer').textContent()).to.match(/Time left to decide: (0:\d\d|1:00)/);
    harness.passSeconds(61);
    await lively.getByRole('heading', { name: 'The time for this link is over' }).waitFor();
  });

  it('reports an expired link', async () => {
    const { connection_url: link } = await harness.newSession({ expires_in: 60 });
    harness.passSeconds(61);
    const page = await visitor.newPerson();
    const answer = await page.goto(link);
    expect(answer?.status()).to.equal(410);
    expect(await heading(page)).to.equal('The time for this link is over');
  });

  it('refuses a used link in a second browser', async () => {
    const { connection_url: link } = await harness.newSession();
    const second = await visitor.newPerson();
    await second.goto(link);
    const first = await decide(link);
    await second.getByRole('button', { name: 'Continue' }).click();
    expect(await heading(second), 'both had it open').to.equal('This link was used already');
    await second.goto(link);
    expect(await heading(second)).to.equal('This link was used already');
    await first.goto(link);
    expect(await heading(first), 'the same browser goes on').to.equal(`What may ${PARTNER} do?`);
    expect(first.url()).not.to.include('client_token');
  });

  it('refuses the clean address in another browser, and a token that was never issued', async () => {
    const { session, connection_url: link } = await harness.newSession();
    await decide(link);
    const other = await visitor.newPerson();
    await other.goto(`${harness.baseUrl}/connect/${session.id}`);
    expect(await heading(other)).to.equal('Please go on where you began');
    for (const address of [
      `${session.id}?client_token=wrong`,
      'cs_00000000000000000000000000?client_token=wrong',
      'x',
    ]) {
      await other.goto(`${harness.baseUrl}/connect/${address}`);
      expect(await heading(other), address).to.equal('This link does not work');
    }
  });

  it('reports when the partner cancels while the page is open', async () => {
    const first = await harness.newSession();
    const plain = await decide(first.connection_url, { javaScriptEnabled: false });
    await plain.getByLabel('Link your accounts').check();
    await harness.cancel(first.session.id);
    await plain.getByRole('button', { name: 'Approve' }).click();
    expect(await heading(plain)).to.equal('This request was withdrawn');
    expect((await harness.session(first.session.id))?.status).to.equal('revoked');
    const second = await harness.newSession();
    const lively = await decide(second.connection_url);
    await harness.cancel(second.session.id);
    await lively.getByRole('heading', { name: 'This request was withdrawn' }).waitFor();
    const third = await harness.newSession();
    const refused = await decide(third.connection_url);
    await refused.getByRole('button', { name: 'Approve' }).click();
    await refused.getByText('Tick at least one purpose').first().waitFor();
    await harness.cancel(third.session.id);
    await refused.waitForURL(/\/connect\/\w+$/);
    expect(await heading(refused), 'after a refused form').to.equal('This request was withdrawn');
  });

  it('sends a form once when its button is pressed again before the answer', async () => {
    const page = await visitor.newPerson();
    await page.goto((await harness.newSession()).connection_url);
    const stopped = await page.evaluate(`(() => {
      const stopped = [];
      addEventListener('submit', (event) => { stopped.push(event.defaultPrevented); event.preventDefault(); });
      const form = document.querySelector('main form');
      form.requestSubmit();
      form.requestSubmit();
      return stopped;
    })()`);
    expect(stopped).to.deep.equal([false, true]);
  });

  it('sends the decision again when its other button is pressed before the answer', async () => {
    const page = await decide((await harness.newSession()).connection_url);
    const stopped = await page.evaluate(`(() => {
      const stopped = [];
      addEventListener('submit', (event) => { stopped.push(event.defaultPrevented); event.preventDefault(); });
      for (const decision of ['approve', 'approve', 'decline', 'decline'])
        document.querySelector('main button[value=' + decision + ']').click();
      return stopped;
    })()`);
    expect(stopped).to.deep.equal([false, true, false, true]);
  });

  it('sends a form again after ten seconds without an answer', async () => {
    const page = await visitor.newPerson();
    await page.clock.install();
    await page.goto((await harness.newSession()).connection_url);
    await page.evaluate(`addEventListener('submit', (event) => {
      stopped.push(event.defaultPrevented);
      event.preventDefault();
    }, stopped = [])`);
    for (const wait of [0, 9_000, 1_000, 0]) {
      await page.clock.runFor(wait);
      await page.evaluate(`document.querySelector('main form').requestSubmit()`);
    }
    expect(await page.evaluate('stopped')).to.deep.equal([false, true, false, true]);
  });

  it("sends a form again after the browser's Stop", async () => {
    const page = await visitor.newPerson();
    const devtools = await page.context().newCDPSession(page);
    await page.goto((await harness.newSession()).connection_url);
    await page.evaluate(`navigation.addEventListener('navigateerror', () => console.log('stopped'))`);
    let posts = 0;
    await page.route('**/connect/*', async (route) => {
      if (route.request().method() === 'POST') posts += 1;
      // The first is never answered, as in a network that loses it.
      if (posts !== 1) await route.continue();
    });
    await page.getByRole('button', { name: 'Continue' }).focus();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    // A click of Playwright would wait for the answer.
    await page.keyboard.press('Enter');
    await sent;
    const stopped = page.waitForEvent('console');
    await devtools.send('Page.stopLoading');
    await stopped;
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sign-in\?/);
    expect(posts).to.equal(2);
  });

  it('accepts an existing account and reports a wrong password', async () => {
    const page = await visitor.newPerson();
    const email = await comeToDecide(page, (await harness.newSession()).connection_url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await heading(page)).to.equal('Sign in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).to.include('do not belong together');
    expect(await page.getByLabel('E-mail address').inputValue()).to.equal(email);
    expect(await page.getByLabel('Password').inputValue()).to.equal('');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await heading(page)).to.equal(`What may ${PARTNER} do?`);
  });

  it('is in German when the browser asks for it', async () => {
    const { connection_url: link } = await harness.newSession();
    const page = await visitor.newPerson({ locale: 'de-AT' });
    await page.goto(link);
    expect(await heading(page)).to.equal(`Mit ${PARTNER} verbinden`);
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
  });
});
