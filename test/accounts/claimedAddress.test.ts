import { expect } from 'chai';
import type { AccountSession } from '../../src/accounts/AccountSession.js';
import { changeAddress } from '../../src/accounts/accountSettings.js';
import { requestAddressProof } from '../../src/accounts/requestAddressProof.js';
import { proveAddress } from '../../src/accounts/proveAddress.js';
import { sweepExpired } from '../../src/jobs/sweepExpired.js';
import type { Mail } from '../../src/texts/Mail.js';
import { prepareMail } from '../../src/accounts/prepareMail.js';
import { ServiceError } from '../../src/errors.js';
import { addMember } from '../../src/accounts/addMember.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import type { SignInResult } from '../../src/oauth/signIn.js';
import { SIGN_IN_RULES, signIn } from '../../src/oauth/signIn.js';
import { signUp } from '../../src/accounts/signUp.js';
import { chooseSettings, settingsOf, SETTINGS_OF_NOBODY } from '../oauth/chosenSettings.js';
import { NEWCOMER } from './newcomer.js';
import { sessionOf } from '../support/sessionOf.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';

const OTHER_PASSWORD = 'harvest lantern cobalt six';

/** An address that has an account, or that several people sign up with: nothing tells that it does. */
describe('A claimed address', () => {
  let harness: OauthHarness;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  const freshEmail = () => `claimant${(serial += 1)}@partner.example`;
  const address = () => `198.51.100.${(serial += 1) % 250}`;

  async function claim(email: string, password = OTHER_PASSWORD): Promise<string> {
    const account = { email, password, address: address(), ...NEWCOMER, returnTo: '/account' };
    const result = await signUp(harness.node.services, account);
    if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
    return result.accountId;
  }

  function attempt(email: string, password: string, device?: string): Promise<SignInResult> {
    return signIn(harness.node.services, { email, password, address: address(), device });
  }

  /** The mails that were queued for an address, oldest first, as they are kept before they are written. */
  async function queuedFor(email: string): Promise<Mail[]> {
    const rows = await harness.sql('SELECT sealed FROM mails ORDER BY created_at, mail_id');
    const mails = rows.map(
      (row) => JSON.parse(harness.node.services.secrets.open(String(row['sealed']))) as Mail,
    );
    return mails.filter(({ to }) => to === email);
  }

  async function writtenFor(email: string): Promise<{ subject: string; text: string }[]> {
    const { services } = harness.node;
    const written = [];
    for (const mail of await queuedFor(email))
      written.push(await services.database.transaction(null, (tx) => prepareMail(tx, services, mail)));
    return written.filter((mail) => mail !== undefined);
  }

  async function codesFor(email: string): Promise<string[]> {
    const mails = await queuedFor(email);
    return mails.flatMap((mail) => (mail.kind === 'verify_address' ? [mail.data.code] : []));
  }

  const prove = async (accountId: string, code: string | undefined) =>
    proveAddress(harness.node.services, await sessionOf(harness, accountId), { code: code ?? '' });

  it('signs the owner and each claimant in to their own account', async () => {
    const email = freshEmail();
    const owner = await harness.addAccount(email);
    const stranger = await claim(email.toUpperCase());
    expect(stranger).not.to.equal(owner);
    expect(await attempt(email, PASSWORD)).to.deep.include({ kind: 'signed_in', accountId: owner });
    expect(await attempt(email, OTHER_PASSWORD)).to.deep.include({ kind: 'signed_in', accountId: stranger });
    expect(await attempt(email, 'neither of the two')).to.deep.equal({ kind: 'refused' });
  });

  it('gets a mail without a code when it has an account, and with a code when it has none', async () => {
    const [taken, free] = [freshEmail(), freshEmail()];
    await harness.addAccount(taken);
    for (const email of [taken, free]) await claim(email);
    const [told] = await writtenFor(taken);
    expect(told?.subject).to.equal('You already have an account');
    expect(told?.text)
      .to.include('/sign-in?return_to=%2Faccount')
      .and.not.match(/\b\d{6}\b/);
    expect(told?.text).not.to.include('/verify-address');
    expect((await writtenFor(free))[0]?.subject).to.match(/^\d{6} confirms your e-mail address$/);
  });

  it('is not proved by the code of a claim when it has an account', async () => {
    const email = freshEmail();
    const owner = await harness.addAccount(email);
    const stranger = await claim(email);
    const [code] = await codesFor(email);
    expect(await prove(stranger, code)).to.deep.equal({ kind: 'refused' });
    const rows = await harness.sql('SELECT account_id FROM accounts WHERE email = $1', [email]);
    expect(rows).to.deep.equal([{ account_id: owner }]);
  });

  it('belongs to one account when several prove it at once', async () => {
    const email = freshEmail();
    const claimants = [await claim(email), await claim(email), await claim(email)];
    const codes = await codesFor(email);
    const results = await Promise.all(claimants.map((claimant, index) => prove(claimant, codes[index])));
    expect(results.filter(({ kind }) => kind === 'proved')).to.have.length(1);
    expect(results.filter(({ kind }) => kind === 'refused')).to.have.length(2);
    const [winner] = claimants.filter((_, index) => results[index]?.kind === 'proved');
    const rows = await harness.sql('SELECT account_id, email_verified FROM accounts WHERE email = $1', [
      email,
    ]);
    expect(rows).to.deep.equal([{ account_id: winner, email_verified: true }]);
  });

  it('gives a claimant no more password attempts on the account of its owner', async () => {
    const email = freshEmail();
    await harness.addAccount(email);
    const stranger = await claim(email);
    const [own] = await harness.sql('SELECT password_hash FROM accounts WHERE account_id = $1', [stranger]);
    const marked = `${stranger} browser ${String(own?.['password_hash'])}`;
    const mark = `browser.${harness.node.services.secrets.mac('device', marked)}`;
    const guess = () =>
      signIn(harness.node.services, { email, password: 'a guess', address: '192.0.2.99', device: mark });
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1) await guess();
    expect((await guess()).kind).to.equal('throttled');
    const right = { email, password: PASSWORD, address: '192.0.2.99', device: mark };
    expect((await signIn(harness.node.services, right)).kind, 'no budget of its own').to.equal('throttled');
  });

  it('gives a claimant no more password attempts by signing in to the own account', async () => {
    const [taken, free] = [freshEmail(), freshEmail()];
    await harness.addAccount(taken);
    const from = (email: string, password: string) =>
      signIn(harness.node.services, { email, password, address: '192.0.2.98' });
    for (const email of [taken, free]) {
      const stranger = await claim(email);
      for (let count = 1; count < SIGN_IN_RULES.account.most; count += 1) await from(email, 'a guess');
      expect(await from(email, OTHER_PASSWORD)).to.deep.include({ kind: 'signed_in', accountId: stranger });
      const kinds = [(await from(email, 'a guess')).kind, (await from(email, 'a guess')).kind];
      expect(kinds, 'alike with and without an owner').to.deep.equal(['refused', 'throttled']);
    }
  });

  it('gets at most ten sign-up mails an hour, and later sign-ups succeed too', async () => {
    const email = freshEmail();
    for (let count = 0; count < 12; count += 1) await claim(email);
    expect(await queuedFor(email)).to.have.length(10);
  });

  it('gets no more mails by asking again for each claim', async () => {
    const email = freshEmail();
    const claimants: string[] = [];
    for (let count = 0; count < 8; count += 1) claimants.push(await claim(email));
    for (const accountId of claimants)
      await requestAddressProof(harness.node.services, {
        kind: 'verify_address',
        accountId,
        email,
        locale: 'en',
        returnTo: '/',
      });
    expect(await queuedFor(email)).to.have.length(10);
  });

  it('gets no more mails by being wanted by other accounts', async () => {
    const email = freshEmail();
    for (let count = 0; count < 8; count += 1) await claim(email);
    for (let count = 0; count < 5; count += 1) {
      const other = freshEmail();
      const accountId = await harness.addAccount(other);
      const session = await sessionOf(harness, accountId);
      const account = { ...session, email: other, locale: 'en' } as AccountSession;
      expect(await changeAddress(harness.node.services, account, email)).to.deep.equal({ kind: 'mailed' });
    }
    expect(await queuedFor(email)).to.have.length(10);
  });

  it('is not proved by guessing codes with many accounts', async () => {
    const email = freshEmail();
    const claimants: string[] = [];
    for (let count = 0; count < 6; count += 1) claimants.push(await claim(email));
    const codes = await codesFor(email);
    for (const accountId of claimants.slice(0, 5))
      for (let guess = 0; guess < 10; guess += 1) await prove(accountId, 'wrong');
    expect((await prove(claimants[5] ?? '', codes[5])).kind, 'of an account that guessed nothing').to.equal(
      'throttled',
    );
  });

  it('is not proved by guessing codes with many accounts that want another address too', async () => {
    const email = freshEmail();
    const guesses: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const session = await sessionOf(harness, await claim(email));
      const account = { ...session, email, locale: 'en' } as AccountSession;
      await changeAddress(harness.node.services, account, freshEmail());
      for (let guess = 0; guess < 10; guess += 1)
        guesses.push((await proveAddress(harness.node.services, session, { code: 'wrong' })).kind);
    }
    expect(guesses.slice(0, 50)).to.deep.equal(Array(50).fill('refused'));
    expect(guesses.slice(50)).to.deep.equal(Array(10).fill('throttled'));
  });

  it('counts no attempt for the addresses of an account that proves one of them', async () => {
    const [email, wanted] = [freshEmail(), freshEmail()];
    const stranger = await claim(email);
    const account = { ...(await sessionOf(harness, stranger)), email, locale: 'en' } as AccountSession;
    await changeAddress(harness.node.services, account, wanted);
    expect((await prove(stranger, (await codesFor(email))[0])).kind).to.equal('proved');
    const rows = await harness.sql('SELECT email, email_verified FROM accounts WHERE account_id = $1', [
      stranger,
    ]);
    expect(rows).to.deep.equal([{ email, email_verified: true }]);
    const keys = [email, wanted].map((subject) => harness.node.services.secrets.mac('throttle', subject));
    const counted = await harness.sql('SELECT points FROM throttles WHERE key LIKE ANY ($1)', [
      keys.map((key) => `address_code_everywhere:${key}`),
    ]);
    expect(counted).to.deep.equal([{ points: 0 }, { points: 0 }]);
  });

  it('makes a member only of the account that proved it', async () => {
    const app = await harness.addApp();
    const [claimed, both] = [freshEmail(), freshEmail()];
    await claim(claimed);
    const add = (email: string) => addMember(harness.database, { appId: app.appId, email }, new Date());
    const refused = await add(claimed).catch((error: unknown) => error);
    expect(refused)
      .to.be.instanceOf(ServiceError)
      .with.property('message')
      .that.includes('without proof that the address is theirs');
    const owner = await harness.addAccount(both);
    await claim(both);
    await add(both);
    const members = await harness.sql('SELECT account_id FROM app_members WHERE app_id = $1', [app.appId]);
    expect(members).to.deep.equal([{ account_id: owner }]);
  });

  it('keeps its account but gets a new password when the operator creates it', async () => {
    const email = freshEmail();
    const stranger = await claim(email);
    await chooseSettings(harness, stranger);
    const made = await createAccount(harness.database, { email, password: PASSWORD }, new Date());
    expect(made.accountId, 'the account stays').to.equal(stranger);
    expect(await settingsOf(harness, stranger)).to.deep.equal(SETTINGS_OF_NOBODY);
    expect(await attempt(email, OTHER_PASSWORD)).to.deep.equal({ kind: 'refused' });
    expect((await attempt(email, PASSWORD)).kind).to.equal('signed_in');
  });

  it('keeps the settings of its account when the operator gives it a new password', async () => {
    const email = freshEmail();
    const owner = await harness.addAccount(email);
    await chooseSettings(harness, owner);
    const chosen = await settingsOf(harness, owner);
    await createAccount(harness.database, { email, password: PASSWORD, resetPassword: true }, new Date());
    expect(await settingsOf(harness, owner)).to.deep.equal(chosen);
  });

  it('loses unproved accounts older than a week and keeps proved ones', async () => {
    const [lost, proved] = [freshEmail(), freshEmail()];
    await claim(lost);
    const kept = await claim(proved);
    await prove(kept, (await codesFor(proved))[0]);
    await harness.sql(
      `UPDATE accounts SET created_at = now() - interval '8 days' WHERE $1 IN (email, claimed_email)
                        OR $2 IN (email, claimed_email)`,
      [lost, proved],
    );
    const recent = await claim(lost);
    await sweepExpired(harness.database);
    const rows = await harness.sql('SELECT account_id FROM accounts WHERE $1 IN (email, claimed_email)', [
      lost,
    ]);
    expect(rows).to.deep.equal([{ account_id: recent }]);
    expect((await attempt(proved, OTHER_PASSWORD)).kind).to.equal('signed_in');
  });
});
