import { expect } from 'chai';
import { hashPassword } from '../../src/accounts/passwordHash.js';
import type { SignInResult } from '../../src/oauth/signIn.js';
import { SIGN_IN_RULES, signIn } from '../../src/oauth/signIn.js';
import { signUp } from '../../src/accounts/signUp.js';
import { authorizationAddress } from './authorizationAddress.js';
import { NEWCOMER } from '../accounts/newcomer.js';
import type { TestNode } from './OauthHarness.js';
import { OauthHarness, PASSWORD } from './OauthHarness.js';

describe('Signing in', () => {
  let harness: OauthHarness;
  let second: TestNode;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    second = await harness.addNode();
  });
  after(() => harness.close());

  function attempt(
    email: string,
    password: string,
    options: { node?: TestNode; address?: string; device?: string } = {},
  ): Promise<SignInResult> {
    const { node = harness.node, address = `198.51.100.${(serial += 1) % 250}` } = options;
    return signIn(node.services, { email, password, address, device: options.device });
  }

  /** As the cookie that a sign-in leaves. */
  async function markFor(accountId: string, browser = 'browser'): Promise<string> {
    const [row] = await harness.sql('SELECT password_hash FROM accounts WHERE account_id = $1', [accountId]);
    const marked = `${accountId} ${browser} ${String(row?.['password_hash'])}`;
    return `${browser}.${harness.node.services.secrets.mac('device', marked)}`;
  }

  /** Spends so much of a budget at once. */
  async function spend(rule: string, subject: string, points: number): Promise<void> {
    const key = harness.node.services.secrets.mac('throttle', subject);
    await harness.sql('INSERT INTO throttles (key, points, expire) VALUES ($1, $2, $3)', [
      `${rule}:${key}`,
      points,
      Date.now() + 600_000,
    ]);
  }

  function freshEmail(): string {
    return `person${(serial += 1)}@partner.example`;
  }

  it('finds an account by its address and password', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    expect(await attempt(` ${email.toUpperCase()} `, PASSWORD)).to.deep.include({
      kind: 'signed_in',
      accountId,
    });
    expect(await attempt(email, `${PASSWORD}x`)).to.deep.equal({ kind: 'refused' });
  });

  it('answers the same for no account and for an account without a password', async () => {
    const email = freshEmail();
    await harness.sql(
      `INSERT INTO accounts VALUES ('acc_upstream', $1, true, null, 'https://id.example', 's', now(), now())`,
      [email],
    );
    for (const who of [email, freshEmail(), 'nonsense', '']) {
      expect(await attempt(who, 'nobody has this')).to.deep.equal({ kind: 'refused' });
    }
  });

  it('throttles an account per client address over all nodes, even with the right password', async () => {
    const email = freshEmail();
    await harness.addAccount(email);
    const address = '192.0.2.66';
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1) {
      const node = count % 2 ? second : harness.node;
      expect((await attempt(email, 'wrong', { node, address })).kind).to.equal('refused');
    }
    const refused = await attempt(email, PASSWORD, { node: second, address });
    expect(refused.kind).to.equal('throttled');
    if (refused.kind === 'throttled') expect(refused.retryAfterSeconds).to.be.within(1, 900);
    expect((await attempt(freshEmail(), PASSWORD, { address })).kind).to.equal('refused');
  });

  it('accepts the right password from a new address after wrong attempts from many others', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    for (let place = 0; place < 60; place += 1)
      await attempt(email, 'wrong', { address: `203.0.113.${place}` });
    expect(await attempt(email, PASSWORD, { address: '192.0.2.1' })).to.deep.include({
      kind: 'signed_in',
      accountId,
    });
  });

  it('accepts a browser that signed in before when the account and address are throttled', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    const address = '192.0.2.77';
    const device = await markFor(accountId);
    await spend(SIGN_IN_RULES.account.name, `${email} ${address}`, SIGN_IN_RULES.account.most);
    await spend(SIGN_IN_RULES.address.name, address, SIGN_IN_RULES.address.most);
    await spend(SIGN_IN_RULES.everywhere.name, email, SIGN_IN_RULES.everywhere.most);
    expect((await attempt(email, PASSWORD, { address })).kind).to.equal('throttled');
    expect((await attempt(email, PASSWORD)).kind).to.equal('throttled');
    expect(await attempt(email, PASSWORD, { address, device })).to.deep.include({
      kind: 'signed_in',
      accountId,
    });
  });

  it('throttles a known browser by its own wrong attempts and ignores forged device cookies', async () => {
    const [email, other] = [freshEmail(), freshEmail()];
    const accountId = await harness.addAccount(email);
    const device = await markFor(accountId);
    for (let count = 0; count < SIGN_IN_RULES.device.most; count += 1)
      expect((await attempt(email, 'wrong', { device })).kind).to.equal('refused');
    expect((await attempt(email, PASSWORD, { device })).kind).to.equal('throttled');
    expect((await attempt(email, PASSWORD)).kind).to.equal('signed_in');
    const otherDevice = await markFor(await harness.addAccount(other));
    expect((await attempt(other, PASSWORD, { device: otherDevice })).kind).to.equal('signed_in');
    const address = '192.0.2.78';
    const forged = [otherDevice, `${device}x`, 'a.b', '.', '', 'x'.repeat(5000)];
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1)
      await attempt(email, 'wrong', { address, device: forged[count % forged.length] ?? '' });
    for (const mark of forged)
      expect((await attempt(email, PASSWORD, { address, device: mark })).kind).to.equal('throttled');
  });

  it('throttles all known browsers of an account together', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    await spend(SIGN_IN_RULES.devices.name, email, SIGN_IN_RULES.devices.most - 1);
    const guess = async (browser: string) =>
      (await attempt(email, 'wrong', { device: await markFor(accountId, browser) })).kind;
    expect([await guess('one'), await guess('two')]).to.deep.equal(['refused', 'throttled']);
    expect((await attempt(email, PASSWORD)).kind, 'a new browser').to.equal('signed_in');
  });

  it('gives a browser no limit of its own after the password it signed in with is replaced', async () => {
    const email = freshEmail();
    const accountId = await harness.addAccount(email);
    const device = await markFor(accountId);
    await harness.sql(`UPDATE accounts SET password_hash = $2 WHERE account_id = $1`, [
      accountId,
      await hashPassword('harvest lantern cobalt six'),
    ]);
    const address = '192.0.2.79';
    await spend(SIGN_IN_RULES.account.name, `${email} ${address}`, SIGN_IN_RULES.account.most);
    expect((await attempt(email, 'wrong', { address, device })).kind).to.equal('throttled');
    const renewed = await markFor(accountId);
    expect((await attempt(email, 'wrong', { address, device: renewed })).kind).to.equal('refused');
  });

  it('throttles an account over all client addresses', async () => {
    const email = freshEmail();
    await spend(SIGN_IN_RULES.everywhere.name, email, SIGN_IN_RULES.everywhere.most - 1);
    expect((await attempt(email, 'wrong')).kind).to.equal('refused');
    expect((await attempt(email, 'wrong')).kind).to.equal('throttled');
  });

  it('throttles an unknown e-mail address in the same way', async () => {
    const email = freshEmail();
    const address = '192.0.2.67';
    for (let count = 0; count < SIGN_IN_RULES.account.most; count += 1)
      await attempt(email, 'wrong', { address });
    expect((await attempt(email, 'wrong', { address })).kind).to.equal('throttled');
  });

  it('allows no more attempts when many run at once', async () => {
    const email = freshEmail();
    await harness.addAccount(email);
    const results = await Promise.all(
      Array.from({ length: 25 }, () => attempt(email, 'wrong', { address: '192.0.2.68' })),
    );
    expect(results.filter(({ kind }) => kind === 'refused')).to.have.length(SIGN_IN_RULES.account.most);
  });

  it('throttles a client address over all accounts and counts an IPv6 network as one', async () => {
    for (let count = 0; count < SIGN_IN_RULES.address.most; count += 1) {
      await attempt(freshEmail(), 'x', { address: `2001:db8:7:7::${count.toString(16)}` });
    }
    const email = freshEmail();
    await harness.addAccount(email);
    expect((await attempt(email, PASSWORD, { address: '2001:db8:7:7:ffff::1' })).kind).to.equal('throttled');
    expect((await attempt(email, PASSWORD, { address: '2001:db8:7:8::1' })).kind).to.equal('signed_in');
  });

  it('resets the count of wrong attempts after a sign-in', async () => {
    const email = freshEmail();
    await harness.addAccount(email);
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < SIGN_IN_RULES.account.most - 1; count += 1)
        await attempt(email, 'wrong', { address: '192.0.2.69' });
      expect((await attempt(email, PASSWORD, { address: '192.0.2.69' })).kind).to.equal('signed_in');
    }
  });

  it('stores neither passwords nor addresses in plain text', async () => {
    const email = freshEmail();
    await signUp(harness.node.services, { email, password: PASSWORD, address: '203.0.113.77', ...NEWCOMER });
    await attempt(email, 'wrong', { address: '203.0.113.77' });
    const dump = JSON.stringify([
      ...(await harness.sql('SELECT * FROM throttles')),
      ...(await harness.sql('SELECT password_hash FROM accounts')),
    ]);
    expect(dump).to.include('$argon2id$v=19$m=19456,t=2,p=1$');
    for (const text of [PASSWORD, email, '203.0.113.77']) expect(dump).to.not.include(text);
  });

  it('accepts accounts that signed up and names the problems of an address or password', async () => {
    const email = freshEmail();
    const create = (address: string, password: string) =>
      signUp(harness.node.services, { email: address, password, address: '203.0.113.80', ...NEWCOMER });
    expect((await create(email, PASSWORD)).kind).to.equal('signed_up');
    expect((await create(email.toUpperCase(), PASSWORD)).kind, 'told by mail alone').to.equal('signed_up');
    expect(await create('nobody', 'short')).to.deep.equal({
      kind: 'invalid',
      problems: ['email_invalid', 'password_short'],
    });
    expect(await create(freshEmail(), 'password1234')).to.deep.equal({
      kind: 'invalid',
      problems: ['password_known'],
    });
    expect((await attempt(email, PASSWORD)).kind).to.equal('signed_in');
  });
});

describe('Cookies behind HTTPS', () => {
  it('are Secure, HttpOnly and SameSite=Lax', async () => {
    const harness = await OauthHarness.open({ BASE_URL: 'https://consent.example' });
    try {
      const app = await harness.addApp();
      const local = `http://127.0.0.1:${harness.node.config.port}`;
      const answer = await fetch(local + authorizationAddress(app), { redirect: 'manual' });
      const cookies = answer.headers.getSetCookie();
      expect(cookies).to.have.length.greaterThan(1);
      for (const cookie of cookies)
        expect(cookie)
          .to.match(/; secure/i)
          .and.match(/; httponly/i)
          .and.match(/; samesite=lax/i);
    } finally {
      await harness.close();
    }
  });
});
