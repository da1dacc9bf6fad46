import { expect } from 'chai';
import { newId } from '../../src/domain/ids.js';
import { Browser } from '../oauth/Browser.js';
import type { Visit } from '../oauth/Browser.js';
import { mailsTo, mailTo } from './support/mailbox.js';
import { PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';

describe('Pages by plain HTTP', () => {
  let harness: PagesHarness;

  before(async () => {
    harness = await PagesHarness.open();
  });
  after(() => harness.close());

  /** Signed in to an account of a proved address. */
  async function signedIn(returnTo = '/account'): Promise<{ browser: Browser; email: string }> {
    const { email } = await harness.newAccount();
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
    await page.submit('/sign-in', { email, password: PASSWORD });
    return { browser, email };
  }

  it('lead from the address of a form to the page that has it', async () => {
    const { browser } = await signedIn();
    for (const [address, page] of [
      ['/account/address', '/account'],
      ['/account/password', '/account'],
      ['/account/sessions', '/account'],
      ['/account/preferences', '/account'],
      ['/account/passkeys', '/account'],
      ['/account/passkeys/remove', '/account'],
      ['/connections/withdraw', '/connections'],
      ['/dashboard/start', '/dashboard'],
      ['/dashboard/leave', '/dashboard'],
      ['/graphiql/start', '/graphiql'],
      ['/graphiql/leave', '/graphiql'],
      ['/sign-out', '/connections'],
      ['/sign-out?return_to=/account', '/account'],
      ['/sign-in/passkey', '/sign-in'],
      ['/sign-up/passkey', '/sign-up'],
      ['/reset-password', '/forgot-password'],
      ['/reset-password/passkey', '/forgot-password'],
      ['/forgot-password/sent', '/forgot-password'],
    ] as const) {
      const { path, status } = await browser.open(address);
      expect([path, status], address).to.deep.equal([page, 200]);
    }
  });

  it('keep the way on at the addresses of sign-in and sign-up', async () => {
    for (const page of ['/sign-in', '/sign-up']) {
      const { forms } = await new Browser(harness.baseUrl).open(`${page}/passkey?return_to=/account`);
      expect(forms[0]?.action).to.equal(`${page}?return_to=%2Faccount`);
    }
  });

  it('say that a change was not made when the person had signed out elsewhere', async () => {
    const { browser, email } = await signedIn();
    const made = await harness.newSession({ redirect_uri: undefined });
    const start = await browser.open(made.connection_url);
    const decision = await start.submit(made.session.id, {});
    await decision.submit('/decision', { decision: 'approve', purposes: 'analytics' });
    for (const [path, form] of [
      ['/connections', '/connections/withdraw'],
      ['/account', '/account/address'],
      ['/account', '/account/password'],
      ['/account', '/account/preferences'],
      ['/account/delete', '/account/delete'],
    ] as const) {
      const page = await browser.open(path);
      await (await browser.open('/account')).submit('/sign-out', {});
      const asked = await page.submit(form, { email: 'new@example.org', password: PASSWORD });
      expect(asked.path, form).to.equal('/sign-in');
      expect(asked.text, form).to.include('Nothing was changed yet');
      const back = await asked.submit('/sign-in', { email, password: PASSWORD });
      expect(back.path, form).to.equal(path.replace('/delete', ''));
      expect(back.text, form).to.include('Your change was not made');
    }
    const withdrawn = await (await browser.open('/connections')).submit('/connections/withdraw', {});
    expect(withdrawn.text).to.include('can no longer use it').and.not.include('Your change was not made');
  });

  it('offer UTC, and select the zone that is kept, whether it is in the list of zones or not', async () => {
    for (const zone of ['UTC', 'Etc/GMT+5', 'Europe/Vienna']) {
      const browser = new Browser(harness.baseUrl);
      browser.setCookie('time_zone', encodeURIComponent(zone));
      const signUp = await browser.open('/sign-up?return_to=/account');
      const email = `${newId('acc')}@example.org`;
      const { text } = await signUp.submit('/sign-up', { email, password: PASSWORD });
      const selected = [...text.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value);
      expect(selected, zone).to.deep.equal(['en', zone]);
      expect(text.match(/<option value="UTC"/g), zone).to.have.length(1);
    }
  });

  it('of the dashboard ask for the app again after signing out and in', async () => {
    const email = await harness.newMember(['customers:read']);
    const browser = new Browser(harness.baseUrl);
    const signIn = async (): Promise<Visit> =>
      (await browser.open('/sign-in?return_to=/dashboard')).submit('/sign-in', { email, password: PASSWORD });
    const start = async (page: Visit): Promise<Visit> => {
      const approval = await page.submit('/dashboard/start', { app_id: harness.partner.appId });
      return approval.submit('/decide', { decision: 'allow' });
    };
    const opened = await start(await signIn());
    expect([opened.status, opened.path]).to.deep.equal([200, '/dashboard']);
    expect((await signIn()).forms.map(({ action }) => action)).to.not.include('/dashboard/start');
    await (await browser.open('/account')).submit('/sign-out', {});
    expect((await start(await signIn())).path, 'asked and approved again').to.equal('/dashboard');
  });

  it('send one link to set a password, however often the page that says so is loaded', async () => {
    const { email } = await harness.newAccount();
    const browser = new Browser(harness.baseUrl);
    const form = await browser.open('/forgot-password?return_to=/account');
    const told = await form.submit('/forgot-password', { email });
    expect(told.path).to.equal('/forgot-password/sent');
    expect(told.text).to.include(`If there is an account for ${email}`).and.include('return_to=%2Faccount');
    expect((await browser.open('/forgot-password/sent')).text).to.include(email);
    await mailTo(harness.baseUrl, email, 'Set a new password');
    expect(await mailsTo(harness.baseUrl, email)).to.have.length(1);
  });

  it('show nothing of another sealed text as the address that a link was sent to', async () => {
    const { secrets } = harness.running.services;
    const texts = ['a secret', '"a secret"', 'null', '{"email":"a secret"}', '{"value":"a secret"}'];
    for (const value of ['', 'made-up', ...texts.map((text) => secrets.seal(text))]) {
      const browser = new Browser(harness.baseUrl);
      browser.setCookie('forgot_password', value);
      expect((await browser.open('/forgot-password/sent')).path, value).to.equal('/forgot-password');
    }
  });

  it('show the address that a link was sent to for ten minutes, in every browser', async () => {
    const { email } = await harness.newAccount();
    const browser = new Browser(harness.baseUrl);
    await (await browser.open('/forgot-password')).submit('/forgot-password', { email });
    harness.passSeconds(590);
    expect((await browser.open('/forgot-password/sent')).text).to.include(email);
    harness.passSeconds(10);
    expect((await browser.open('/forgot-password/sent')).path).to.equal('/forgot-password');
  });

  it('open the form for a new password again after it was refused', async () => {
    const { email } = await harness.newAccount();
    const browser = new Browser(harness.baseUrl);
    await (await browser.open('/forgot-password')).submit('/forgot-password', { email });
    const { link } = await mailTo(harness.baseUrl, email, 'Set a new password');
    const form = await browser.open(link ?? '');
    const action = form.forms[0]?.action ?? '';
    expect((await form.submit('/reset-password', { password: 'short' })).status).to.equal(422);
    for (const address of [action, action.replace('?', '/passkey?')]) {
      const { path, status, text } = await browser.open(address);
      expect([path, status], address).to.deep.equal(['/reset-password', 200]);
      expect(text).to.include('Choose a new password');
    }
  });

  it('send one more code, however often the page that says so is loaded', async () => {
    const email = `${newId('acc')}@example.org`;
    const browser = new Browser(harness.baseUrl);
    const signUp = await browser.open('/sign-up?return_to=/verify-address');
    const page = await signUp.submit('/sign-up', { email, password: PASSWORD });
    const told = await page.submit('/verify-address/send', {});
    expect(told.path).to.equal('/verify-address');
    expect(told.text).to.include('Another mail is on its way');
    const live = `SELECT token_hash FROM account_tokens WHERE data ->> 'email' = $1`;
    const { rows } = await harness.sql(live, [email]);
    expect((await browser.open('/verify-address/send')).path).to.equal('/verify-address');
    expect((await browser.open('/verify-address?sent=1')).text).to.include('Another mail is on its way');
    expect((await harness.sql(live, [email])).rows)
      .to.deep.equal(rows)
      .and.have.length(1);
  });

  describe('with two customers of one partner', () => {
    /** The cards of "My connections", in the order of the page. */
    const cardsOf = ({ text }: Visit) => text.match(/<section class="card".*?<\/section>/gs) ?? [];
    const noticeOf = ({ text }: Visit) =>
      /<div class="notice success".*?<\/div>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, ' ');

    it('tells the cards apart, and says of which a purpose was withdrawn', async () => {
      const { browser } = await signedIn();
      const second = await harness.attempt('POST', '/v1/customers', { external_id: 'maya-2' });
      const { id } = second.body['customer'] as { id: string };
      for (const customerId of [harness.partner.customerId, id]) {
        const made = await harness.newSession({ customer_id: customerId, redirect_uri: undefined });
        const start = await browser.open(made.connection_url);
        const decision = await start.submit(made.session.id, {});
        await decision.submit('/decision', { decision: 'approve', purposes: 'analytics' });
        harness.passSeconds(60);
      }
      const page = await browser.open('/connections');
      const linked = cardsOf(page).map((card) => /Connected on [^<]*/.exec(card)?.[0]);
      expect(new Set(linked)).to.have.property('size', 2);
      const withdrawn = await browser.open('/connections/withdraw', {
        ...page.forms.find(({ fields }) => fields['customer_id'] === harness.partner.customerId)?.fields,
      });
      expect(cardsOf(withdrawn)[1], 'the older one').to.include('Withdrawn');
      expect(noticeOf(withdrawn)).to.include(`${PARTNER} can no longer use it`).and.include(linked[1]);
    });
  });
});
