import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createAccount } from '../../src/accounts/createAccount.js';
import { newId } from '../../src/domain/ids.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { mailsTo, mailTo } from './support/mailbox.js';
import { bearer, PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';
import { comeToDecide } from './support/tour.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

const NEW_PASSWORD = 'harvest lantern cobalt six';

describeInBrowser('my account, in a browser', () => {
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

  async function newAccount(): Promise<string> {
    const email = `${newId('acc')}@example.org`;
    await createAccount(harness.running.services.database, { email, password: PASSWORD }, new Date());
    return email;
  }

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
  }

  /**
   * A browser with an authenticator that says yes, as a phone does after a fingerprint.
   *
   * @returns counts the passkeys that it has made
   */
  async function withAuthenticator(page: Page): Promise<() => Promise<number>> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  }

  /** The sign-ins of the account are an hour old. */
  function ageSignIns(email: string) {
    return harness.sql(
      `UPDATE account_sessions SET created_at = now() - interval '1 hour' WHERE account_id =
      (SELECT account_id FROM accounts WHERE email = $1)`,
      [email],
    );
  }

  it('makes a passkey and signs in with it, until it is removed', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    await withAuthenticator(page);
    await signIn(page, email);
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is ready to sign you in.').waitFor();
    expect((await mailTo(harness.baseUrl, email, 'A passkey was added')).text).to.include('/account');
    await press(page, 'Sign out');
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
    expect(await page.getByText('last used on').count()).to.equal(1);
    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    await press(page, 'Sign out');
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    await press(page, 'Sign in with a passkey');
    await page.getByText('That passkey did not work here').first().waitFor();
    expect(new URL(page.url()).pathname).to.match(/^\/sign-in/);
  });

  it('asks to sign in again before the device makes a passkey when the sign-in is old', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    const passkeysMade = await withAuthenticator(page);
    await signIn(page, email);
    await ageSignIns(email);
    await press(page, 'Add a passkey');
    await page.waitForURL(/\/sign-in\?/);
    expect(await passkeysMade()).to.equal(0);
    await page.getByText('Nothing was changed yet').waitFor();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is ready to sign you in.').waitFor();
    expect(await passkeysMade()).to.equal(1);
  });

  it('asks to sign in before the device makes a passkey when the person signed out elsewhere', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    const passkeysMade = await withAuthenticator(page);
    await signIn(page, email);
    const other = await page.context().newPage();
    await other.goto(`${harness.baseUrl}/account`);
    await press(other, 'Sign out');
    await press(page, 'Add a passkey');
    await page.waitForURL(/\/sign-in\?/);
    await page.getByText('Nothing was changed yet').waitFor();
    expect(await passkeysMade()).to.equal(0);
  });

  it('creates an account with a passkey, approves, and recovers it by mail', async () => {
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined });
    const email = `${newId('acc')}@example.org`;
    const page = await visitor.newPerson();
    await withAuthenticator(page);
    await page.goto(link);
    await press(page, 'Continue');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await press(page, 'Sign up with a passkey');
    expect(new URL(page.url()).pathname, 'the address is asked for first').to.equal('/sign-up');
    await page.getByLabel('E-mail address').fill(email);
    await press(page, 'Sign up with a passkey');
    await page.getByLabel('Understand how its service is used').check();
    const { code } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await page.getByLabel('Code from the mail').fill(code ?? '');
    await press(page, 'Approve what I ticked');
    await page.getByRole('heading', { name: 'You approved' }).waitFor();
    expect((await harness.session(session.id)).status).to.equal('authorized');
    const kept = 'SELECT password_hash FROM accounts WHERE email = $1';
    expect((await harness.sql(kept, [email])).rows).to.deep.equal([{ password_hash: null }]);
    await page.goto(`${harness.baseUrl}/account`);
    await press(page, 'Sign out');
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
    const lost = await visitor.newPerson();
    await withAuthenticator(lost);
    await lost.goto(`${harness.baseUrl}/forgot-password`);
    await lost.getByLabel('E-mail address').fill(email);
    await press(lost, 'Send the link');
    const { link: back } = await mailTo(harness.baseUrl, email, 'Set a new password');
    await lost.goto(back ?? '');
    await press(lost, 'Make a passkey instead');
    await lost.waitForURL(`${harness.baseUrl}/connections`);
    await mailTo(harness.baseUrl, email, 'A passkey was added');
    expect((await harness.sql(kept, [email])).rows, 'no password was needed').to.deep.equal([
      { password_hash: null },
    ]);
    await page.goto(`${harness.baseUrl}/account`);
    expect(new URL(page.url()).pathname, 'every other browser is signed out').to.equal('/sign-in');
    await lost.goto(back ?? '');
    expect(await lost.locator('h1').textContent()).to.equal('This link no longer works');
  });

  it('makes one account and one passkey at a double click, and signs in with it once', async () => {
    const page = await visitor.newPerson();
    const passkeysMade = await withAuthenticator(page);
    let posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
    });
    const pressTwice = (name: string) => page.getByRole('button', { name, exact: true }).dblclick();
    await page.goto(`${harness.baseUrl}/sign-up?return_to=/account`);
    await page.getByLabel('E-mail address').fill(`${newId('acc')}@example.org`);
    await pressTwice('Sign up with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
    expect(posts).to.deep.equal(['/sign-up/passkey/options', '/sign-up/passkey']);
    expect(await passkeysMade()).to.equal(1);
    await press(page, 'Sign out');
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    posts = [];
    await pressTwice('Sign in with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
    expect(posts).to.deep.equal(['/sign-in/passkey/options', '/sign-in/passkey']);
  });

  it('sends each form once at a double click', async () => {
    const page = await visitor.newPerson();
    const email = `${newId('acc')}@example.org`;
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
    });
    const pressTwice = async (name: string, after: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).dblclick({ delay: 20 });
      await page.waitForURL(new RegExp(`^${harness.baseUrl}${after}`));
    };
    await page.goto(`${harness.baseUrl}/sign-up?return_to=/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await pressTwice('Create account', '/account');
    expect(posts.splice(0)).to.deep.equal(['/sign-up']);
    await page.goto(`${harness.baseUrl}/forgot-password`);
    await page.getByLabel('E-mail address').fill(email);
    await pressTwice('Send the link', '/forgot-password/sent');
    await page.goto((await mailTo(harness.baseUrl, email, 'Set a new password')).link ?? '');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await pressTwice('Set the password', '/connections');
    await page.goto(`${harness.baseUrl}/account/delete`);
    await pressTwice('Delete my account for good', '/erasures/');
    expect(posts).to.deep.equal(['/forgot-password', '/reset-password', '/account/delete']);
  });

  itInProofs('lets the button of a passkey be pressed again after a failure', async () => {
    const page = await visitor.newPerson();
    await withAuthenticator(page);
    await page.goto(`${harness.baseUrl}/sign-up?return_to=/account`);
    await page.getByLabel('E-mail address').fill(`${newId('acc')}@example.org`);
    await page.route('**/sign-up/passkey/options', (route) => route.abort());
    await press(page, 'Sign up with a passkey');
    await page.getByRole('alert').getByText('That did not work').waitFor();
    await page.unroute('**/sign-up/passkey/options');
    await press(page, 'Sign up with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
  });

  it('creates no account from a used answer or one for another challenge', async () => {
    const page = await visitor.newPerson();
    await withAuthenticator(page);
    await page.goto(`${harness.baseUrl}/sign-up`);
    await page.getByLabel('E-mail address').fill(`${newId('acc')}@example.org`);
    let sent = '';
    page.on('request', (request) => {
      if (request.url().includes('/sign-up/passkey?')) sent = request.postData() ?? '';
    });
    await press(page, 'Sign up with a passkey');
    await page.waitForURL(`${harness.baseUrl}/connections`);
    const before = (await harness.sql('SELECT count(*) FROM accounts')).rows;
    const form = new URLSearchParams(sent);
    await page.goto(`${harness.baseUrl}/sign-in`);
    const other = JSON.parse(form.get('credential') ?? '') as { id: string };
    for (const credential of [JSON.stringify(other), JSON.stringify({ ...other, id: 'other' }), '{}', 'x']) {
      form.set('credential', credential);
      const status = await page.evaluate(
        async (body) =>
          (await fetch('/sign-up/passkey', { method: 'POST', body: new URLSearchParams(body) })).status,
        form.toString(),
      );
      expect(status, credential).to.equal(422);
    }
    expect((await harness.sql('SELECT count(*) FROM accounts')).rows).to.deep.equal(before);
  });

  it('accepts an answer to an issued challenge once', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    await withAuthenticator(page);
    await signIn(page, email);
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is ready to sign you in.').waitFor();
    await press(page, 'Sign out');
    await page.goto(`${harness.baseUrl}/sign-in?return_to=/account`);
    let sent = '';
    page.on('request', (request) => {
      if (request.url().includes('/sign-in/passkey?')) sent = request.postData() ?? '';
    });
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${harness.baseUrl}/account`);
    const status = await page.evaluate(
      async ([path, body]) =>
        (await fetch(path ?? '', { method: 'POST', body: new URLSearchParams(body) })).status,
      ['/sign-in/passkey?return_to=/account', sent],
    );
    expect(status, 'the same answer again').to.equal(401);
  });

  it('changes the address once the new one is proved and notifies the old one', async () => {
    const [email, next, taken] = [await newAccount(), `${newId('acc')}@example.org`, await newAccount()];
    const page = await visitor.newPerson();
    await signIn(page, email);
    await page.getByLabel('New e-mail address').fill(taken);
    await press(page, 'Change the address');
    const said = await page.getByRole('status').textContent();
    expect((await mailTo(harness.baseUrl, taken, 'You already have an account')).text).to.include('/sign-in');
    await page.getByLabel('New e-mail address').fill(next);
    await press(page, 'Change the address');
    expect((await page.getByRole('status').textContent())?.replace(next, taken), 'said alike').to.equal(said);
    const { link } = await mailTo(harness.baseUrl, next, 'confirms your new e-mail address');
    await page.goto(link ?? '');
    await press(page, 'Confirm');
    expect(await page.getByRole('region', { name: 'E-mail address' }).textContent()).to.include(next);
    await mailTo(harness.baseUrl, email, 'address of your account was changed');
    const other = await visitor.newPerson();
    await signIn(other, next);
    expect(other.url()).to.equal(`${harness.baseUrl}/account`);
  });

  itInProofs('mails one code for a change of address, however often the page is loaded again', async () => {
    const [email, next] = [await newAccount(), `${newId('acc')}@example.org`];
    const page = await visitor.newPerson();
    await signIn(page, email);
    await page.getByLabel('New e-mail address').fill(next);
    await press(page, 'Change the address');
    await page.getByRole('status').waitFor();
    expect((await page.reload())?.status()).to.equal(200);
    expect((await page.goto(page.url()))?.status(), 'from the address bar').to.equal(200);
    expect((await mailsTo(harness.baseUrl, next)).length).to.equal(1);
  });

  it('changes the address with the mailed code, and asks for it alike when it is taken', async () => {
    const [email, next, taken] = [await newAccount(), `${newId('acc')}@example.org`, await newAccount()];
    const page = await visitor.newPerson();
    await signIn(page, email);
    const shown: string[] = [];
    for (const wanted of [taken, next]) {
      await page.goto(`${harness.baseUrl}/account`);
      await page.getByLabel('New e-mail address').fill(wanted);
      await press(page, 'Change the address');
      const region = page.getByRole('region', { name: 'E-mail address' });
      shown.push(((await region.textContent()) ?? '').replace(wanted, ''));
      await region.getByRole('link').click();
      shown.push(((await page.locator('main').textContent()) ?? '').replaceAll(wanted, ''));
      await page.getByLabel('Code from the mail').fill('000000');
      await press(page, 'Confirm');
      await page.getByText('This code is not the one from the latest mail').waitFor();
    }
    expect(shown.slice(0, 2)).to.deep.equal(shown.slice(2));
    const { code } = await mailTo(harness.baseUrl, next, 'confirms your new e-mail address');
    await page.getByLabel('Code from the mail').fill(code ?? '');
    await press(page, 'Confirm');
    const region = page.getByRole('region', { name: 'E-mail address' });
    expect(await region.textContent()).to.include(next);
    expect(await region.getByRole('link').count()).to.equal(0);
    await page.goto(`${harness.baseUrl}/verify-address`);
    expect(new URL(page.url()).pathname, 'nothing is left to confirm').to.equal('/account');
  });

  it('changes the password and signs every other browser out', async () => {
    const email = await newAccount();
    const [page, other] = [await visitor.newPerson(), await visitor.newPerson()];
    await signIn(page, email);
    await signIn(other, email);
    await page.reload();
    expect(await page.getByText('this browser').count()).to.equal(1);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Change the password');
    await page.getByText('The password is changed').waitFor();
    await other.reload();
    expect(new URL(other.url()).pathname).to.equal('/sign-in');
    await signIn(other, email, NEW_PASSWORD);
    await page.reload();
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
    await other.reload();
    expect(new URL(other.url()).pathname, 'one session ended').to.equal('/sign-in');
  });

  it('asks to sign in again before a change of credentials when the sign-in is old', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    await signIn(page, email);
    await ageSignIns(email);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Change the password');
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
    await page.getByText('To change this, sign in once more').waitFor();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await page.getByText('Your change was not made').waitFor();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Change the password');
    await page.getByText('The password is changed').waitFor();
    expect(await page.getByText('Your change was not made').count()).to.equal(0);
  });

  itInProofs('keeps language and time zone, on pages and in mails', async () => {
    const { connection_url: link } = await harness.newSession({ redirect_uri: undefined });
    const page = await visitor.newPerson();
    const email = await comeToDecide(page, link);
    await page.goto(`${harness.baseUrl}/account`);
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('Mail me what I approve').uncheck();
    await press(page, 'Save');
    expect(await page.locator('h1').textContent()).to.equal('Mein Konto');
    expect(await page.getByText('GMT+9').count()).to.be.greaterThan(0);
    const { session, connection_url: second } = await harness.newSession({ redirect_uri: undefined });
    await page.goto(second);
    await press(page, 'Weiter');
    await page.getByLabel('Ihre Konten verknüpfen').check();
    await press(page, 'Angekreuztem zustimmen');
    await harness.recordConsent(session.id, ['account_linking']);
    await page.goto(`${harness.baseUrl}/connections`);
    await page
      .getByRole('button', { name: /widerrufen$/ })
      .first()
      .click();
    const mail = await mailTo(harness.baseUrl, email, 'etwas entzogen');
    expect(mail.text).to.include('GMT+9');
    const { data } = (await (
      await fetch(`${harness.baseUrl}/dev/mailbox?to=${email}`, { headers: { accept: 'application/json' } })
    ).json()) as { data: { subject: string }[] };
    expect(
      data.filter(({ subject }) => subject.includes('zugestimmt')),
      'turned off',
    ).to.deep.equal([]);
  });

  itInProofs('uses the chosen language in every browser of the person', async () => {
    const page = await visitor.newPerson();
    const email = await comeToDecide(page, (await harness.newSession()).connection_url);
    const other = await visitor.newPerson();
    await signIn(other, email);
    expect(await other.locator('h1').textContent(), 'nothing was chosen yet').to.equal('My account');
    await page.goto(`${harness.baseUrl}/account`);
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await press(page, 'Save');
    const third = await visitor.newPerson();
    await signIn(third, email);
    expect(await third.locator('h1').textContent()).to.equal('Mein Konto');
  });

  it('asks to sign in, instead of saving that page as the data, when the session is over', async () => {
    const page = await visitor.newPerson();
    await signIn(page, await newAccount());
    const other = await page.context().newPage();
    await other.goto(`${harness.baseUrl}/account`);
    await press(other, 'Sign out');
    const saved: string[] = [];
    page.on('download', (file) => saved.push(file.suggestedFilename()));
    await page.getByRole('link', { name: 'Download my data' }).click();
    while (saved.length === 0 && !page.url().includes('/sign-in')) await page.waitForTimeout(20);
    expect(saved).to.deep.equal([]);
    expect(page.url()).to.equal(`${harness.baseUrl}/sign-in?return_to=%2Faccount`);
  });

  it('exports everything that is kept of the account, and no secret', async () => {
    const [lapsed, current] = [
      await harness.newPartner('Linden Lamps'),
      await harness.newPartner('Maple Mugs'),
    ];
    const email = await harness.newMember(['profile:read', 'offline_access']);
    const page = await visitor.newPerson();
    await signIn(page, email);
    const approve = async (partner: typeof current): Promise<string> => {
      const { session, connection_url: link } = await harness.newSession({}, partner);
      await page.goto(link);
      await press(page, 'Continue');
      await page.getByLabel('Personalise what you see').check();
      await press(page, 'Approve what I ticked');
      return session.id;
    };
    const old = await approve(lapsed);
    await harness.sql(
      `UPDATE connection_sessions SET expires_at = now() - interval '1 hour' WHERE session_id = $1`,
      [old],
    );
    const session = await approve(current);
    const receipt = await harness.recordConsent(session, ['personalization'], current);
    const revocation = { reason: 'policy_change', note: 'a note about the person' };
    await harness.attempt('POST', `/v1/consent-receipts/${receipt.id}/revoke`, revocation, bearer(current));
    await harness.sql(
      `UPDATE accounts SET upstream_issuer = 'https://login.example', upstream_subject = 'sub-1'
        WHERE email = $1`,
      [email],
    );
    await page.goto(`${harness.baseUrl}/account`);
    await page.getByLabel('New e-mail address').fill('next@example.org');
    await press(page, 'Change the address');
    await page.getByRole('status').waitFor();
    const answer = await page.request.get(`${harness.baseUrl}/account/export`);
    const text = await answer.text();
    const kept = JSON.parse(text) as {
      account: Record<string, unknown>;
      sessions: Record<string, unknown>[];
      memberships: Record<string, unknown>[];
      connections: {
        partner: string;
        purposes: unknown[];
        receipts: Record<string, unknown>[];
        connection_sessions: Record<string, unknown>[];
      }[];
    };
    expect(kept.account).to.deep.include({
      email,
      new_email: 'next@example.org',
      has_password: true,
      upstream_identity: { issuer: 'https://login.example', subject: 'sub-1' },
    });
    const inADay = Date.now() + 24 * 3_600_000;
    expect(Date.parse(String(kept.account['new_email_expires_at']))).to.be.closeTo(inADay, 60_000);
    expect(kept.sessions[0]).to.include.keys('expires_at', 'authenticated_at');
    const [membership] = kept.memberships;
    expect(kept.memberships).to.have.length(1);
    expect(membership).to.deep.include({
      app_id: harness.partner.appId,
      partner: PARTNER,
      scopes: ['profile:read', 'offline_access'],
    });
    const [now, before] = kept.connections;
    expect(now?.receipts[0]).to.include({
      revocation_reason: 'policy_change',
      revocation_note: 'a note about the person',
      connection_session_id: session,
    });
    expect(String(now?.receipts[0]?.['revoked_at'])).to.match(/T.*Z$/);
    expect(now?.connection_sessions[0]).to.deep.include({
      id: session,
      status: 'completed',
      service_user_id: kept.account['id'],
      requested_purposes: ['account_linking', 'personalization', 'analytics'],
      consent_receipt_id: receipt.id,
    });
    expect(before).to.deep.include({ partner: 'Linden Lamps', purposes: [], receipts: [] });
    expect(before?.connection_sessions[0]).to.deep.include({
      id: old,
      status: 'expired',
      approved_purposes: ['personalization'],
    });
    const { rows: secrets } = await harness.sql(
      `SELECT token_hash AS secret FROM account_sessions UNION ALL SELECT token_hash FROM account_tokens
       UNION ALL SELECT password_hash FROM accounts WHERE password_hash IS NOT NULL
       UNION ALL SELECT id_hash FROM oauth_artifacts UNION ALL SELECT data ->> 'code' FROM account_tokens`,
    );
    for (const { secret } of secrets.filter((row) => Boolean(row['secret'])))
      expect(text).not.to.include(String(secret));
  });

  it('exports what apps were allowed, and which of their pages are open', async () => {
    const email = await newAccount();
    const page = await visitor.newPerson();
    await signIn(page, email);
    const values = [email, harness.partner.appId];
    await harness.sql(
      `INSERT INTO oauth_artifacts (id_hash, kind, app_id, account_id, scope, payload, issued_at, expires_at)
       SELECT 'hash-of-a-token', 'RefreshToken', $2, account_id, 'profile:read', 'sealed-payload', now(),
              now() + interval '1 day' FROM accounts WHERE email = $1`,
      values,
    );
    await harness.sql(
      `INSERT INTO graphiql_sessions (token_hash, account_id, app_id, sealed, expires_at)
       SELECT 'hash-of-a-session', account_id, $2, 'sealed-token', now() + interval '1 day'
         FROM accounts WHERE email = $1`,
      values,
    );
    const answer = await page.request.get(`${harness.baseUrl}/account/export`);
    const text = await answer.text();
    const { authorizations, app_sessions: open } = JSON.parse(text) as Record<string, object[]>;
    expect(authorizations?.[0]).to.include({
      kind: 'RefreshToken',
      app_id: harness.partner.appId,
      scope: 'profile:read',
    });
    expect(open?.[0]).to.have.all.keys('app_id', 'expires_at');
    expect(text).not.to.match(/hash-of|sealed/);
  });

  it('exports the stored data and deletes the account with its consents', async () => {
    const partner = await harness.newPartner('Juniper Jams');
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined }, partner);
    const page = await visitor.newPerson();
    const email = await comeToDecide(page, link);
    await page.getByLabel('Understand how its service is used').check();
    await page.getByLabel('Personalise what you see').check();
    await press(page, 'Approve what I ticked');
    const evidence = {
      ip_address: '203.0.113.7',
      user_agent: 'A browser',
      locale: 'de',
      collected_at: '2026-11-01T00:00:00.000Z',
    };
    const receipt = await harness.recordConsent(session.id, ['analytics'], partner, { evidence });
    await page.goto(`${harness.baseUrl}/account`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download my data' }).click(),
    ]);
    const chunks = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const kept = JSON.parse(Buffer.concat(chunks).toString()) as {
      account: { email: string };
      connections: { partner: string; receipts: { id: string; evidence: unknown }[] }[];
    };
    expect(kept.account.email).to.equal(email);
    expect(kept.connections.map(({ partner: name }) => name)).to.deep.equal(['Juniper Jams']);
    expect(kept.connections[0]?.receipts.map(({ id }) => id)).to.deep.equal([receipt.id]);
    expect(kept.connections[0]?.receipts[0]?.evidence).to.deep.equal(evidence);
    const cancel = (): Promise<{ body: unknown }> =>
      harness.attempt('DELETE', `/v1/connection-sessions/${session.id}`, undefined, {
        ...bearer(partner),
        'Idempotency-Key': 'ends-a-completed-session',
      });
    expect((await cancel()).body).to.have.property('service_user_id');
    await page.getByRole('link', { name: 'Delete my account' }).click();
    expect(await page.locator('main').textContent()).to.include(
      'Everything you allowed one partner is withdrawn',
    );
    await press(page, 'Delete my account for good');
    expect(await page.locator('h1').textContent()).to.equal('Your account is deleted');
    const read = (path: string) => harness.attempt('GET', path, undefined, bearer(partner));
    const profile = `/v1/profiles/${partner.customerId}?consent_purpose=analytics`;
    expect((await read(profile)).body).to.have.nested.property('error.code', 'consent_denied');
    expect((await read(`/v1/connection-sessions/${session.id}`)).body).not.to.have.property(
      'service_user_id',
    );
    expect((await cancel()).body)
      .to.include({ status: 'completed' })
      .and.not.have.property('service_user_id');
    while (!(await page.locator('main').textContent())?.includes('is erased')) await page.reload();
    const { rows } = await harness.sql('SELECT 1 FROM accounts WHERE email = $1', [email]);
    expect(rows).to.deep.equal([]);
    await mailTo(harness.baseUrl, email, 'Your account is being deleted');
    await signIn(page, email);
    expect(await page.getByRole('alert').textContent()).to.include('do not belong together');
  });
});
