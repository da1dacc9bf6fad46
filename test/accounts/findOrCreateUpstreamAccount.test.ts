import { expect } from 'chai';
import type { UpstreamIdentity } from '../../src/accounts/findOrCreateUpstreamAccount.js';
import { findOrCreateUpstreamAccount } from '../../src/accounts/findOrCreateUpstreamAccount.js';
import { signUp } from '../../src/accounts/signUp.js';
import { AccessFixture } from '../oauth/AccessFixture.js';
import { chooseSettings, settingsOf, SETTINGS_OF_NOBODY } from '../oauth/chosenSettings.js';
import { NEWCOMER } from './newcomer.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';

describe('findOrCreateUpstreamAccount', () => {
  let harness: OauthHarness;
  let access: AccessFixture;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    access = new AccessFixture(harness, await harness.addApp());
  });
  after(() => harness.close());

  function identity(changes: Partial<UpstreamIdentity> = {}): UpstreamIdentity {
    serial += 1;
    const email = `upstream${serial}@partner.example`;
    return { issuer: 'https://id.example', subject: `s-${serial}`, email, emailVerified: true, ...changes };
  }

  const find = (who: UpstreamIdentity) => findOrCreateUpstreamAccount(harness.node.services, who, NEWCOMER);

  async function row(accountId: string | undefined): Promise<Record<string, unknown> | undefined> {
    const [found] = await harness.sql('SELECT * FROM accounts WHERE account_id = $1', [accountId]);
    return found;
  }

  async function claim(email: string): Promise<string> {
    const address = `203.0.113.${(serial += 1) % 250}`;
    const result = await signUp(harness.node.services, { email, password: PASSWORD, address, ...NEWCOMER });
    if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
    return result.accountId;
  }

  it('creates one account with the verified address and finds it again', async () => {
    const who = identity({ email: 'Upstream.New@Partner.example' });
    const accountId = await find(who);
    expect(accountId).to.match(/^acc_[0-9a-z]{26}$/);
    expect(await row(accountId)).to.include({
      email: 'upstream.new@partner.example',
      email_verified: true,
      upstream_issuer: 'https://id.example',
      upstream_subject: who.subject,
      password_hash: null,
    });
    expect(await find({ ...who, email: undefined, emailVerified: false })).to.equal(accountId);
  });

  it('creates one account when the same person signs in several times at once', async () => {
    const who = identity();
    const found = await Promise.all(Array.from({ length: 6 }, () => find(who)));
    expect(found[0]).to.match(/^acc_/);
    expect(new Set(found)).to.have.property('size', 1);
  });

  it('creates no account without a verified address', async () => {
    for (const changes of [{ emailVerified: false }, { email: undefined }, { email: 'no address' }])
      expect(await find(identity(changes))).to.equal(undefined);
  });

  it('creates another account for the same subject of another provider', async () => {
    const who = identity();
    const accountId = await find(who);
    const other = identity({ issuer: 'https://other.example', subject: who.subject });
    expect(await find(other))
      .to.match(/^acc_/)
      .and.not.equal(accountId);
    expect(await find({ ...other, subject: 'somebody else', email: undefined })).to.equal(undefined);
  });

  it('finds no account when the address belongs to an account of another identity', async () => {
    const who = identity();
    const accountId = await find(who);
    expect(await find({ ...who, subject: 'another' })).to.equal(undefined);
    expect(await row(accountId)).to.include({ upstream_subject: who.subject });
  });

  it('keeps the access and settings of an account that has proved its address', async () => {
    const who = identity();
    const accountId = await harness.addAccount(who.email ?? '');
    await access.give(accountId);
    await chooseSettings(harness, accountId);
    const chosen = await settingsOf(harness, accountId);
    expect(await find(who)).to.equal(accountId);
    expect(await access.left(accountId)).to.deep.equal(AccessFixture.all);
    expect(await settingsOf(harness, accountId)).to.deep.equal(chosen);
    expect((await row(accountId))?.['password_hash']).to.be.a('string');
  });

  it('removes the access and settings of an account that only claimed the address', async () => {
    const who = identity();
    const accountId = await claim(who.email ?? '');
    await access.give(accountId);
    await chooseSettings(harness, accountId);
    expect(await find(who)).to.equal(accountId);
    expect(await access.left(accountId)).to.deep.equal([]);
    expect(await settingsOf(harness, accountId)).to.deep.equal(SETTINGS_OF_NOBODY);
    expect(await row(accountId)).to.include({ email_verified: true, password_hash: null });
  });

  it('leaves accounts that only claim the address unchanged when another account has proved it', async () => {
    const who = identity();
    const owner = await harness.addAccount(who.email ?? '');
    const stranger = await claim(who.email ?? '');
    await access.give(stranger);
    expect(await find(who)).to.equal(owner);
    expect(await access.left(stranger)).to.deep.equal(AccessFixture.all);
  });
});
