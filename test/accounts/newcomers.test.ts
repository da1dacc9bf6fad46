import { expect } from 'chai';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { signIn } from '../../src/oauth/signIn.js';
import type { SignUp, SignUpResult } from '../../src/accounts/signUp.js';
import { signUp } from '../../src/accounts/signUp.js';
import { passkeySignUpOptions, signUpWithPasskey } from '../../src/accounts/signUpWithPasskey.js';
import type { Mail } from '../../src/texts/Mail.js';
import type { AccountServices } from '../../src/accounts/AccountServices.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';
import type { PasskeyRequest } from '../oauth/SoftAuthenticator.js';
import { SoftAuthenticator } from '../oauth/SoftAuthenticator.js';

const SIGN_UPS_OF_A_NETWORK = 30;
const MAILS_OF_AN_ADDRESS = 10;
const NEWCOMER = { locale: 'de', timeZone: 'Europe/Berlin', returnTo: '/account' } as const;

describe('A sign-up', () => {
  let harness: OauthHarness;
  let services: AccountServices;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    services = harness.node.services;
  });
  after(() => harness.close());

  const freshEmail = () => `newcomer${(serial += 1)}@partner.example`;
  const freshAddress = () => `198.51.${Math.floor((serial += 1) / 250)}.${serial % 250}`;

  async function accountsClaiming(email: string): Promise<Record<string, unknown>[]> {
    return harness.sql('SELECT * FROM accounts WHERE claimed_email = $1', [email]);
  }

  /** The mails that are queued for an address. */
  async function mailsTo(email: string): Promise<Mail[]> {
    const rows = await harness.sql('SELECT sealed FROM mails');
    const mails = rows.map((row) => JSON.parse(services.secrets.open(String(row['sealed']))) as Mail);
    return mails.filter(({ to }) => to === email);
  }

  async function countOf(table: 'accounts' | 'passkeys'): Promise<unknown> {
    const [row] = await harness.sql(`SELECT count(*)::int AS count FROM ${table}`);
    return row?.['count'];
  }

  /** Has spent so many points of a budget. */
  async function spend(rule: string, subject: string, points: number): Promise<void> {
    await harness.sql('INSERT INTO throttles (key, points, expire) VALUES ($1, $2, $3)', [
      `${rule}:${services.secrets.mac('throttle', subject)}`,
      points,
      Date.now() + 600_000,
    ]);
  }

  describe('with a password', () => {
    function join(account: Partial<SignUp>): Promise<SignUpResult> {
      const defaults = { email: freshEmail(), password: PASSWORD, address: freshAddress() };
      return signUp(services, { ...defaults, ...NEWCOMER, ...account });
    }

    it('creates an account that claims the address and queues a verification mail', async () => {
      const email = freshEmail();
      const result = await join({ email: ` ${email.toUpperCase()} ` });
      if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
      const { accountId } = result;
      expect(accountId).to.match(/^acc_[0-9a-z]{26}$/);
      const [account, ...others] = await accountsClaiming(email);
      expect(others).to.deep.equal([]);
      expect(account).to.deep.include({
        account_id: accountId,
        email: `${accountId}@unproved.invalid`,
        email_verified: false,
        locale: 'de',
        time_zone: 'Europe/Berlin',
      });
      const now = Date.now();
      for (const column of ['created_at', 'updated_at'])
        expect(Date.parse(String(account?.[column]))).to.be.within(now - 60_000, now + 60_000);
      expect(await signIn(services, { email, password: PASSWORD, address: freshAddress() })).to.deep.include({
        kind: 'signed_in',
        accountId,
      });
      const [mail, ...more] = await mailsTo(email);
      expect(more).to.deep.equal([]);
      expect(mail).to.include({ kind: 'verify_address', locale: 'de' });
      expect(mail).to.have.nested.property('data.returnTo', '/account');
    });

    it('reports all problems of the input and stores nothing', async () => {
      const before = await countOf('accounts');
      const cases: [Partial<SignUp>, string[]][] = [
        [{ email: 'nobody', password: 'short' }, ['email_invalid', 'password_short']],
        [{ email: 'nobody' }, ['email_invalid']],
        [{ password: 'short' }, ['password_short']],
        [
          { email: 'harbourmaster@partner.example', password: 'harbourmaster@partner.example' },
          ['password_known'],
        ],
      ];
      for (const [account, problems] of cases)
        expect(await join(account)).to.deep.equal({ kind: 'invalid', problems });
      expect(await countOf('accounts')).to.equal(before);
    });

    it('is limited to thirty an hour per network', async () => {
      const network = '2001:db8:9:9';
      for (let count = 0; count < SIGN_UPS_OF_A_NETWORK; count += 1)
        expect((await join({ address: `${network}::${count + 1}`, email: 'nobody' })).kind).to.equal(
          'invalid',
        );
      await spend('sign_up_address', '20010db800090009/64', SIGN_UPS_OF_A_NETWORK - 1);
      const email = freshEmail();
      expect((await join({ address: `${network}::1` })).kind).to.equal('signed_up');
      const refused = await join({ address: `${network}:a::2`, email });
      expect(refused.kind).to.equal('throttled');
      if (refused.kind === 'throttled') expect(refused.retryAfterSeconds).to.be.within(1, 3600);
      expect(await accountsClaiming(email)).to.deep.equal([]);
      expect((await join({ address: '2001:db8:9:a::1' })).kind).to.equal('signed_up');
    });

    it('queues at most ten mails an hour per address and answers the same beyond that', async () => {
      const email = freshEmail();
      await spend('sign_up_mail', email, MAILS_OF_AN_ADDRESS - 1);
      for (const password of [PASSWORD, `${PASSWORD}-two`])
        expect((await join({ email, password })).kind).to.equal('signed_up');
      expect(await accountsClaiming(email)).to.have.length(2);
      expect(await mailsTo(email)).to.have.length(1);
    });
  });

  describe('with a passkey alone', () => {
    async function ask(email: string): Promise<PasskeyRequest> {
      const options = await passkeySignUpOptions(services, email);
      return (options as PasskeyRequest | undefined) ?? expect.fail('There are no options.');
    }

    const authenticator = (credentialId?: Buffer) => new SoftAuthenticator(harness.baseUrl, credentialId);

    function join(answer: string, address = freshAddress()) {
      return signUpWithPasskey(services, { ...NEWCOMER, answer, label: 'A key', address });
    }

    it('creates an account that claims the address and has the passkey', async () => {
      const email = freshEmail();
      const request = await ask(` ${email.toUpperCase()} `);
      const result = await join(authenticator().create(request));
      if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
      const { accountId } = result;
      expect(accountId).to.match(/^acc_[0-9a-z]{26}$/);
      expect(Buffer.from(request.user.id, 'base64url').toString(), 'the passkey names it').to.equal(
        accountId,
      );
      const accounts = await accountsClaiming(email);
      expect(accounts).to.have.length(1);
      expect(accounts[0]).to.include({
        account_id: accountId,
        email_verified: false,
        password_hash: null,
        locale: 'de',
        time_zone: 'Europe/Berlin',
      });
      const keys = await harness.sql('SELECT label, transports FROM passkeys WHERE account_id = $1', [
        accountId,
      ]);
      expect(keys).to.deep.equal([{ label: 'A key', transports: ['internal'] }]);
      expect((await mailsTo(email)).map(({ kind }) => kind)).to.deep.equal(['verify_address']);
    });

    it('returns no options for an invalid address', async () => {
      expect(await passkeySignUpOptions(services, 'nobody')).to.equal(undefined);
    });

    it('refuses an answer that is malformed, used, expired, or to another challenge or origin', async () => {
      const before = [await countOf('accounts'), await countOf('passkeys')];
      const used = authenticator().create(await ask(freshEmail()));
      expect((await join(used)).kind).to.equal('signed_up');
      const late = await ask(freshEmail());
      await harness.sql('UPDATE account_tokens SET expires_at = now() WHERE token_hash = $1', [
        hashSecretToken(late.challenge),
      ]);
      const other = await ask(freshEmail());
      await harness.sql(`UPDATE account_tokens SET kind = 'passkey_challenge' WHERE token_hash = $1`, [
        hashSecretToken(other.challenge),
      ]);
      const foreign = new SoftAuthenticator('https://evil.example').create(await ask(freshEmail()));
      const answers = [used, 'nonsense', '{}', authenticator().create(late), authenticator().create(other)];
      for (const answer of [...answers, foreign])
        expect(await join(answer), answer).to.deep.equal({ kind: 'refused' });
      expect([await countOf('accounts'), await countOf('passkeys')]).to.deep.equal(
        before.map((count) => Number(count) + 1),
      );
    });

    it('refuses an answer to a challenge without an account id or address', async () => {
      for (const member of ['account_id', 'email']) {
        const request = await ask(freshEmail());
        await harness.sql('UPDATE account_tokens SET data = data - $2::text WHERE token_hash = $1', [
          hashSecretToken(request.challenge),
          member,
        ]);
        expect(await join(authenticator().create(request)), member).to.deep.equal({ kind: 'refused' });
      }
    });

    it('refuses a passkey that another account has', async () => {
      const credentialId = Buffer.alloc(32, 7);
      expect((await join(authenticator(credentialId).create(await ask(freshEmail())))).kind).to.equal(
        'signed_up',
      );
      const email = freshEmail();
      const thief = authenticator(credentialId).create(await ask(email));
      expect(await join(thief)).to.deep.equal({ kind: 'refused' });
      expect(await accountsClaiming(email)).to.deep.equal([]);
    });

    it('shares the limit of thirty an hour per network with sign-ups by password', async () => {
      await spend('sign_up_address', '192.0.2.99', SIGN_UPS_OF_A_NETWORK);
      const answer = authenticator().create(await ask(freshEmail()));
      const refused = await join(answer, '192.0.2.99');
      expect(refused.kind).to.equal('throttled');
      if (refused.kind === 'throttled') expect(refused.retryAfterSeconds).to.be.within(1, 3600);
      expect((await join(answer)).kind, 'and may try from elsewhere').to.equal('signed_up');
    });

    it('queues at most ten mails an hour per address', async () => {
      const email = freshEmail();
      await spend('sign_up_mail', email, MAILS_OF_AN_ADDRESS);
      expect((await join(authenticator().create(await ask(email)))).kind).to.equal('signed_up');
      expect(await mailsTo(email)).to.deep.equal([]);
    });
  });
});
