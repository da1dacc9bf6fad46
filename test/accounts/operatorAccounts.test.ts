import { expect } from 'chai';
import { addMember } from '../../src/accounts/addMember.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import { listMemberApps } from '../../src/oauth/listMemberApps.js';
import { ServiceError } from '../../src/errors.js';
import { readMemberScopes } from '../../src/oauth/readMemberScopes.js';
import { removeMember } from '../../src/accounts/removeMember.js';
import { signUp } from '../../src/accounts/signUp.js';
import { isPassword } from '../../src/accounts/passwordHash.js';
import { AccessFixture } from '../oauth/AccessFixture.js';
import { NEWCOMER } from './newcomer.js';
import type { TestApp } from '../oauth/OauthHarness.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const OTHER_PASSWORD = 'harvest lantern cobalt six';

describe('Commands of an operator for accounts and members', () => {
  let harness: OauthHarness;
  let app: TestApp;
  let access: AccessFixture;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp({ allowedScopes: ['customers:read', 'claims:read', 'offline_access'] });
    access = new AccessFixture(harness, app);
  });
  after(() => harness.close());

  const freshEmail = () => `operated${(serial += 1)}@partner.example`;

  async function messageOf(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => expect.fail('It was not refused.'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ServiceError);
    return (error as Error).message;
  }

  async function account(accountId: string): Promise<Record<string, unknown>> {
    const [row] = await harness.sql('SELECT * FROM accounts WHERE account_id = $1', [accountId]);
    return row ?? expect.fail('There is no such account.');
  }

  async function claim(email: string): Promise<string> {
    const address = `203.0.113.${(serial += 1) % 250}`;
    const result = await signUp(harness.node.services, { email, password: PASSWORD, address, ...NEWCOMER });
    if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
    return result.accountId;
  }

  const create = (email: string, resetPassword?: boolean) =>
    createAccount(
      harness.database,
      { email, password: OTHER_PASSWORD, ...(resetPassword === undefined ? {} : { resetPassword }) },
      NOW,
    );

  describe('an account', () => {
    it('is created with a proved address', async () => {
      const email = freshEmail();
      const { accountId } = await create(email.toUpperCase());
      expect(accountId).to.match(/^acc_[0-9a-z]{26}$/);
      const row = await account(accountId);
      expect(row).to.deep.include({ email, email_verified: true, claimed_email: null });
      expect([row['created_at'], row['updated_at']].map((time) => new Date(String(time)))).to.deep.equal([
        NOW,
        NOW,
      ]);
      expect(await isPassword(OTHER_PASSWORD, String(row['password_hash']))).to.equal(true);
    });

    it('is kept when its address is proved, unless its password is reset', async () => {
      const email = freshEmail();
      const accountId = await harness.addAccount(email);
      await access.give(accountId);
      for (const reset of [undefined, false])
        expect(await messageOf(create(email, reset))).to.equal(
          `There is an account ${email} already. Give it a new password with --reset-password.`,
        );
      expect(await access.left(accountId)).to.deep.equal(AccessFixture.all);
      const { password_hash: kept } = await account(accountId);
      expect(await isPassword(PASSWORD, String(kept))).to.equal(true);
      expect(await create(email, true)).to.deep.equal({ accountId });
      expect(await access.left(accountId)).to.deep.equal([]);
      const row = await account(accountId);
      expect(await isPassword(OTHER_PASSWORD, String(row['password_hash']))).to.equal(true);
      expect(new Date(String(row['updated_at']))).to.deep.equal(NOW);
    });

    it('loses the password, sessions and passkeys of the person who only claimed its address', async () => {
      const email = freshEmail();
      const accountId = await claim(email);
      await access.give(accountId);
      expect(await create(email)).to.deep.equal({ accountId });
      expect(await access.left(accountId)).to.deep.equal([]);
      const row = await account(accountId);
      expect(row).to.include({ email, email_verified: true });
      expect(await isPassword(PASSWORD, String(row['password_hash']))).to.equal(false);
    });

    it('is not created with an invalid address or password', async () => {
      const make = (email: string, password: string) =>
        messageOf(createAccount(harness.database, { email, password }, NOW));
      expect(await make('nobody', PASSWORD)).to.equal('nobody is not an e-mail address.');
      const email = freshEmail();
      const bounds = 'The password must have 12 to 128 characters.';
      for (const password of ['elevenchars', 'x7 '.repeat(43)])
        expect(await make(email, password), password).to.equal(bounds);
      for (const password of ['password1234', 'operated.partner'])
        expect(await make('operated@partner.example', password)).to.equal(
          'This password is one that guessers try first. Choose another.',
        );
      expect(await harness.sql('SELECT 1 FROM accounts WHERE email = $1', [email])).to.deep.equal([]);
    });
  });

  describe('a member', () => {
    const members = (): Promise<Record<string, unknown>[]> =>
      harness.sql('SELECT account_id, scopes FROM app_members WHERE app_id = $1', [app.appId]);

    async function scopesOf(accountId: string): Promise<unknown> {
      return (await members()).find((row) => row['account_id'] === accountId)?.['scopes'];
    }

    it('gets all scopes of the app or the named ones, each once', async () => {
      const email = freshEmail();
      const accountId = await harness.addAccount(email);
      const all = ['customers:read', 'claims:read', 'offline_access'];
      const member = { appId: app.appId, email: ` ${email.toUpperCase()}` };
      expect(await addMember(harness.database, member, NOW)).to.deep.equal({ scopes: all });
      expect(await scopesOf(accountId)).to.deep.equal(all);
      expect(await readMemberScopes(harness.database, app.appId, accountId)).to.deep.equal(all);
      for (const [appId, who] of [
        ['app_none', accountId],
        [app.appId, 'acc_none'],
      ] as const)
        expect(await readMemberScopes(harness.database, appId, who)).to.equal(undefined);
      const scopes = ['claims:read', 'claims:read'];
      expect(await addMember(harness.database, { ...member, scopes }, NOW)).to.deep.equal({
        scopes: ['claims:read'],
      });
      expect(await scopesOf(accountId)).to.deep.equal(['claims:read']);
    });

    it('is not added with an app, scope or account that does not exist', async () => {
      const email = freshEmail();
      await harness.addAccount(email);
      const before = await members();
      const add = (changes: object) =>
        messageOf(addMember(harness.database, { appId: app.appId, email, ...changes }, NOW));
      expect(await add({ appId: 'app_none' })).to.equal('There is no app app_none.');
      expect(await add({ appId: 'app_none', scopes: ['claims:read'] })).to.equal('There is no app app_none.');
      expect(await add({ scopes: ['claims:read', 'all'] })).to.equal('There is no scope all.');
      for (const nobody of ['nobody@partner.example', 'no address', ''])
        expect(await add({ email: nobody })).to.equal(
          `There is no account ${nobody}. Make it with npm run account:create.`,
        );
      expect(await members()).to.deep.equal(before);
    });

    it('is not added for an address that nobody has proved', async () => {
      const email = freshEmail();
      await claim(email);
      expect(await messageOf(addMember(harness.database, { appId: app.appId, email }, NOW))).to.equal(
        `${email} signed up without proof that the address is theirs. npm run account:create takes the ` +
          'account over with a new password.',
      );
    });

    it('loses the artifacts issued to them for the app when removed', async () => {
      const [email, other] = [freshEmail(), freshEmail()];
      const [accountId, otherId] = [await harness.addAccount(email), await harness.addAccount(other)];
      for (const each of [email, other])
        await addMember(harness.database, { appId: app.appId, email: each }, NOW);
      for (const each of [accountId, otherId]) await access.give(each);
      const elsewhere = new AccessFixture(harness, await harness.addApp());
      await elsewhere.give(accountId);
      const artifacts = (): Promise<Record<string, unknown>[]> =>
        harness.sql(
          'SELECT app_id, account_id FROM oauth_artifacts WHERE account_id IN ($1, $2) ORDER BY app_id',
          [accountId, otherId],
        );
      expect(await artifacts()).to.have.length(3);
      const member = { appId: app.appId, email: `${email.toUpperCase()} ` };
      await removeMember(harness.database, member);
      expect(await scopesOf(accountId)).to.equal(undefined);
      expect(await scopesOf(otherId)).to.be.an('array');
      const left = await artifacts();
      expect(left).to.have.length(2);
      expect(left).to.not.deep.include({ app_id: app.appId, account_id: accountId });
      expect(await access.left(accountId), 'and stays signed in').to.deep.equal(AccessFixture.all);
      expect(await messageOf(removeMember(harness.database, member))).to.equal(
        `${member.email} is not a member of ${app.appId}.`,
      );
      expect(await messageOf(removeMember(harness.database, { ...member, email: 'no address' }))).to.equal(
        `no address is not a member of ${app.appId}.`,
      );
    });
  });

  it('list the active apps of a member by name with the scopes that the member has', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    const open = await harness.addApp({ name: 'B', clientType: 'public' });
    const off = await harness.addApp({ name: 'C' });
    const first = await harness.addApp({ name: 'A', allowedScopes: ['claims:read', 'offline_access'] });
    for (const { appId } of [open, off, first]) {
      const scopes = ['customers:read', 'claims:read', 'offline_access'];
      await addMember(harness.database, { appId, email, scopes }, NOW);
    }
    await harness.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = $1`, [off.appId]);
    expect(await listMemberApps(harness.database, accountId)).to.deep.equal([
      { appId: first.appId, name: 'A', isPublic: false, scopes: ['claims:read'] },
      { appId: open.appId, name: 'B', isPublic: true, scopes: ['customers:read', 'claims:read'] },
    ]);
  });
});
