import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createAccount } from '../../src/accounts/createAccount.js';
import { newId } from '../../src/domain/ids.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { mailsTo, mailTo } from './support/mailbox.js';
import { PagesHarness, PASSWORD } from './support/PagesHarness.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

const NEW_PASSWORD = 'harvest lantern cobalt six';

/** Whether the reason of a refusal is on the screen. */
const IS_REASON_IN_SIGHT = `(() => {
  const reason = document.querySelector('.problem:not([hidden]), .notice.error');
  const { top, bottom } = reason.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})()`;

describeInBrowser('proving an address and getting back in, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const freshEmail = () => `${newId('acc')}@example.org`;

  async function signUp(page: Page, email: string): Promise<void> {
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Create account');
  }

  async function askForLink(page: Page, email: string): Promise<string> {
    await page.goto(`${harness.baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await press(page, 'Send the link');
    return (await page.locator('main').textContent()) ?? '';
  }

  async function isSignedIn(page: Page): Promise<boolean> {
    await page.goto(`${harness.baseUrl}/connections`);
    return new URL(page.url()).pathname === '/connections';
  }

  it('requires the code that proves the address before an approval', async () => {
    const { session, connection_url: link } = await harness.newSession();
    const page = await visitor.newPerson();
    const email = freshEmail();
    await page.goto(link);
    await press(page, 'Continue');
    await signUp(page, email);
    await page.getByLabel('Link your accounts').check();
    for (const code of ['', '000000']) {
      await page.getByLabel('Code from the mail').fill(code);
      await press(page, 'Approve what I ticked');
      expect(await page.locator('.problem').textContent()).to.include(
        code === '' ? 'Enter the code' : 'is not the one',
      );
      expect(await page.getByLabel('Link your accounts').isChecked(), 'what was ticked stays').to.equal(true);
      expect((await harness.session(session.id)).status).to.equal('created');
    }
    const { code } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await page.getByLabel('Code from the mail').fill(`${code?.slice(0, 3)} ${code?.slice(3)}`);
    await press(page, 'Approve what I ticked');
    await page.waitForURL(`${harness.redirectUri}&**`);
    expect((await harness.session(session.id)).status).to.equal('authorized');
  });

  itInProofs('focuses the refused field, with the reason in sight', async () => {
    const seven = ['account_linking', 'personalization', 'analytics', 'support', 'event_enrichment'];
    seven.push('profile_resolution', 'measurement');
    const { connection_url: link } = await harness.newSession({ requested_purposes: seven });
    const page = await visitor.newPerson({ viewport: { width: 375, height: 667 } });
    const refused = async (field: string, button: string): Promise<void> => {
      await press(page, button);
      const focused = page.locator(`[name=${field}][aria-invalid]:focus`);
      await focused.waitFor({ timeout: 5000 }).catch(() => expect.fail(`${button}: ${field} has no focus`));
      expect(await page.evaluate(IS_REASON_IN_SIGHT), button).to.equal(true);
    };
    await page.goto(link);
    await press(page, 'Continue');
    await signUp(page, freshEmail());
    await page.getByLabel('Link your accounts').check();
    await refused('code', 'Approve what I ticked');
    await page.getByLabel('Code from the mail').fill('000000');
    await refused('code', 'Approve what I ticked');
    await page.goto(`${harness.baseUrl}/verify-address`);
    await page.getByLabel('Code from the mail').fill('000000');
    await refused('code', 'Confirm');
    await page.goto(`${harness.baseUrl}/account`);
    await page.getByLabel('New password').fill('passwordpassword');
    await refused('password', 'Change the password');
    await page.getByLabel('New e-mail address').fill('nobody@example');
    await refused('email', 'Change the address');
    await page.evaluate(`document.querySelector('form[action="/account/passkeys"]').submit()`);
    await page.locator('.notice.error').waitFor();
    expect(await page.evaluate(IS_REASON_IN_SIGHT), 'a passkey').to.equal(true);
  });

  it('accepts a decline from an account with an unproved address', async () => {
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined });
    const page = await visitor.newPerson();
    await page.goto(link);
    await press(page, 'Continue');
    await signUp(page, freshEmail());
    await press(page, 'Decline everything');
    expect((await harness.session(session.id)).status).to.equal('revoked');
  });

  it('proves an address once by the link, even when scanners have opened it', async () => {
    const { connection_url: connect } = await harness.newSession();
    const page = await visitor.newPerson();
    const email = freshEmail();
    await page.goto(connect);
    await press(page, 'Continue');
    await signUp(page, email);
    await page.getByLabel('Code from the mail').waitFor();
    const asked = page.url();
    const { link } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    for (let scans = 0; scans < 3; scans += 1) expect((await fetch(link ?? '')).status).to.equal(200);
    await page.goto(link ?? '');
    await press(page, 'Confirm');
    expect(page.url(), 'back where the person was').to.equal(asked);
    expect(await page.getByLabel('Code from the mail').count()).to.equal(0);
    await page.goto(link ?? '');
    expect(new URL(page.url()).pathname, 'nothing is left to prove').to.equal('/account');
  });

  it('does not prove an address for a person who is not signed in to the account', async () => {
    const stranger = await visitor.newPerson();
    const email = freshEmail();
    await stranger.goto(`${harness.baseUrl}/sign-in`);
    await signUp(stranger, email);
    const { link } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    const owner = await visitor.newPerson();
    await owner.goto(link ?? '');
    expect(new URL(owner.url()).pathname).to.equal('/sign-in');
    const { rows } = await harness.sql(
      'SELECT email_verified FROM accounts WHERE $1 IN (email, claimed_email)',
      [email],
    );
    expect(rows).to.deep.equal([{ email_verified: false }]);
  });

  it('says so when a link is for another account than the one that is signed in', async () => {
    const [page, email] = [await visitor.newPerson(), freshEmail()];
    for (const address of [email, freshEmail()]) {
      await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
      await signUp(page, address);
      await page.waitForURL(`${harness.baseUrl}/account`);
    }
    const { link } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await page.goto(link ?? '');
    expect(await page.locator('h1').textContent()).to.equal('This link is for another account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`Confirm that ${email} is your address.`).waitFor();
  });

  it('sends another code, after which the first no longer works', async () => {
    const page = await visitor.newPerson();
    const email = freshEmail();
    await page.goto(`${harness.baseUrl}/sign-in`);
    await signUp(page, email);
    const first = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await page.goto(`${harness.baseUrl}/verify-address`);
    await press(page, 'Send another mail');
    expect(await page.getByRole('status').textContent()).to.include('Another mail is on its way');
    const mails = await mailsTo(harness.baseUrl, email);
    expect(mails).to.have.length(2);
    await page.getByLabel('Code from the mail').fill(first.code ?? '');
    await press(page, 'Confirm');
    expect(await page.locator('.problem').textContent()).to.include('is not the one');
    await page.getByLabel('Code from the mail').fill(mails[0]?.code ?? '');
    await press(page, 'Confirm');
    const { rows } = await harness.sql(
      'SELECT email_verified FROM accounts WHERE $1 IN (email, claimed_email)',
      [email],
    );
    expect(rows).to.deep.equal([{ email_verified: true }]);
  });

  it('refuses every code after ten wrong ones', async () => {
    const page = await visitor.newPerson();
    const email = freshEmail();
    await page.goto(`${harness.baseUrl}/sign-in`);
    await signUp(page, email);
    const { code } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await page.goto(`${harness.baseUrl}/verify-address`);
    const wrong = code === '123456' ? '654321' : '123456';
    for (const guess of [...Array.from({ length: 10 }, () => wrong), code ?? '']) {
      await page.getByLabel('Code from the mail').fill(guess);
      await press(page, 'Confirm');
    }
    expect(await page.locator('.problem').textContent()).to.include('wrong too often');
    const { rows } = await harness.sql(
      'SELECT email_verified FROM accounts WHERE $1 IN (email, claimed_email)',
      [email],
    );
    expect(rows).to.deep.equal([{ email_verified: false }]);
  });

  it('sets a new password by a mailed link, once, and ends every other session', async () => {
    const email = freshEmail();
    await createAccount(harness.running.services.database, { email, password: PASSWORD }, new Date());
    const thief = await visitor.newPerson();
    await thief.goto(`${harness.baseUrl}/sign-in`);
    await thief.getByLabel('E-mail address').fill(email);
    await thief.getByLabel('Password').fill(PASSWORD);
    await press(thief, 'Sign in');
    expect(await isSignedIn(thief)).to.equal(true);
    const page = await visitor.newPerson();
    await askForLink(page, email);
    const { link } = await mailTo(harness.baseUrl, email, 'Set a new password');
    for (let scans = 0; scans < 3; scans += 1) expect((await fetch(link ?? '')).status).to.equal(200);
    await page.goto(link ?? '');
    await page.getByLabel('New password').fill('too short');
    await page.getByLabel('New password').evaluate((input) => input.removeAttribute('minlength'));
    await press(page, 'Set the password');
    expect(await page.locator('.problem').textContent()).to.include('at least 12');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Set the password');
    expect(page.url()).to.equal(`${harness.baseUrl}/connections`);
    expect(await isSignedIn(thief)).to.equal(false);
    expect((await mailTo(harness.baseUrl, email, 'Your password was changed')).text).to.include(
      '/forgot-password',
    );
    await page.goto(link ?? '');
    expect(await page.locator('h1').textContent()).to.equal('This link no longer works');
  });

  it('does not show whether an address has an account', async () => {
    const known = freshEmail();
    await createAccount(harness.running.services.database, { email: known, password: PASSWORD }, new Date());
    const unknown = freshEmail();
    const page = await visitor.newPerson();
    const [first, second] = [await askForLink(page, known), await askForLink(page, unknown)];
    expect(first.replace(known, 'X')).to.equal(second.replace(unknown, 'X'));
    await mailTo(harness.baseUrl, known, 'Set a new password');
    expect(await mailsTo(harness.baseUrl, unknown)).to.deep.equal([]);
  });

  it('answers a sign-up with a taken address like any other, and mails its owner', async () => {
    const [known, unknown] = [freshEmail(), freshEmail()];
    await createAccount(
      harness.running.services.database,
      { email: known, password: NEW_PASSWORD },
      new Date(),
    );
    const seen = [];
    for (const email of [known, unknown]) {
      const { connection_url: link } = await harness.newSession({ redirect_uri: undefined });
      const page = await visitor.newPerson();
      const told: (string | undefined)[] = [];
      const note = async () => {
        const text = (await page.locator('body').innerText()).replaceAll(email, 'X');
        told.push(new URL(page.url()).pathname.replace(/cs_\w+/, 'cs'), text.replace(/\d+:\d+.*/g, 'a time'));
      };
      await page.goto(link);
      await press(page, 'Continue');
      await signUp(page, email);
      await note();
      await page.getByLabel('Link your accounts').check();
      await page.getByLabel('Code from the mail').fill('000000');
      await press(page, 'Approve what I ticked');
      await note();
      await press(page, 'Send another mail');
      await note();
      await page.goto(`${harness.baseUrl}/account`);
      await press(page, 'Sign out');
      await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await press(page, 'Sign in');
      await note();
      await page.goto(`${harness.baseUrl}/connections`);
      await note();
      seen.push(told);
    }
    expect(seen[0]).to.deep.equal(seen[1]);
    await mailTo(harness.baseUrl, unknown, 'confirms your e-mail address');
    const { text } = await mailTo(harness.baseUrl, known, 'You already have an account');
    expect(text).to.include('/sign-in?return_to=%2Fconnect%2F');
    expect((await mailsTo(harness.baseUrl, known)).filter(({ code }) => code !== null)).to.deep.equal([]);
    const owner = await visitor.newPerson();
    await owner.goto(`${harness.baseUrl}/sign-in`);
    await owner.getByLabel('E-mail address').fill(known);
    await owner.getByLabel('Password').fill(NEW_PASSWORD);
    await press(owner, 'Sign in');
    await owner.goto(`${harness.baseUrl}/account`);
    expect(await owner.getByText('not confirmed').count(), 'the owner has the own account').to.equal(0);
  });

  it('removes the access of a stranger who claimed the address', async () => {
    const email = freshEmail();
    const stranger = await visitor.newPerson();
    await stranger.goto(`${harness.baseUrl}/sign-in`);
    await signUp(stranger, email);
    const owner = await visitor.newPerson();
    await askForLink(owner, email);
    const { link } = await mailTo(harness.baseUrl, email, 'Set a new password');
    await owner.goto(link ?? '');
    await owner.getByLabel('New password').fill(NEW_PASSWORD);
    await press(owner, 'Set the password');
    expect(await isSignedIn(stranger)).to.equal(false);
    const { rows } = await harness.sql(
      'SELECT email_verified FROM accounts WHERE $1 IN (email, claimed_email)',
      [email],
    );
    expect(rows, 'a mailed link proves the address too').to.deep.equal([{ email_verified: true }]);
  });

  itInProofs('shows every mail in the mailbox of a development service', async () => {
    const email = freshEmail();
    const page = await visitor.newPerson({ locale: 'de-DE' });
    await page.goto(`${harness.baseUrl}/sign-up`);
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort').fill(PASSWORD);
    await press(page, 'Konto anlegen');
    await page.goto(`${harness.baseUrl}/dev/mailbox?to=${email}`);
    expect(await page.getByRole('article').textContent()).to.include('bestätigt Ihre E-Mail-Adresse');
    await page.getByRole('article').getByRole('link').first().click();
    await press(page, 'Bestätigen');
    const { rows } = await harness.sql(
      'SELECT email_verified, locale FROM accounts WHERE $1 IN (email, claimed_email)',
      [email],
    );
    expect(rows).to.deep.equal([{ email_verified: true, locale: 'de' }]);
  });
});
