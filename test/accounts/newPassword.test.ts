import { expect } from 'chai';
import { changeAddress, changePassword } from '../../src/accounts/accountSettings.js';
import type { AccountSession } from '../../src/accounts/AccountSession.js';
import type { TokenKind } from '../../src/accounts/accountToken.js';
import { issueToken } from '../../src/accounts/accountToken.js';
import { proveAddress } from '../../src/accounts/proveAddress.js';
import { passkeyResetOptions, resetPassword, resetToPasskey } from '../../src/accounts/resetPassword.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import { signUp } from '../../src/accounts/signUp.js';
import { sessionOf } from '../support/sessionOf.js';
import { chooseSettings, settingsOf, SETTINGS_OF_NOBODY } from '../oauth/chosenSettings.js';
import { NEWCOMER } from './newcomer.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';
import type { PasskeyRequest } from '../oauth/SoftAuthenticator.js';
import { SoftAuthenticator } from '../oauth/SoftAuthenticator.js';

const NEW_PASSWORD = 'harvest lantern cobalt six';

describe('A new password', () => {
  let harness: OauthHarness;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  const freshEmail = () => `renewed${(serial += 1)}@partner.example`;

  async function accountOf(
    accountId: string,
    email: string,
    emailVerified: boolean,
  ): Promise<AccountSession> {
    const rest = {
      emailVerified,
      locale: 'en',
      timeZone: null,
      startedAt: new Date().toISOString(),
    } as const;
    return { ...(await sessionOf(harness, accountId)), email, ...rest };
  }

  async function owner(): Promise<AccountSession> {
    const email = freshEmail();
    return accountOf(await harness.addAccount(email), email, true);
  }

  async function claimant(): Promise<AccountSession> {
    const email = freshEmail();
    const address = `203.0.113.${(serial += 1) % 250}`;
    const result = await signUp(harness.node.services, { email, password: PASSWORD, address, ...NEWCOMER });
    if (result.kind !== 'signed_up') throw new Error(`The sign-up was ${result.kind}.`);
    return accountOf(result.accountId, email, false);
  }

  /** The secret of a link, as it is mailed. */
  function link(account: AccountSession, kind: TokenKind, email = account.email): Promise<string> {
    const data = { email, code: '', return_to: '/account' };
    return harness.database.transaction(null, (tx) =>
      issueToken(tx, new Date(), { kind, accountId: account.accountId, data }),
    );
  }

  const reset = (token: string) => resetPassword(harness.node.services, token, NEW_PASSWORD, 'en');

  const renewals: Record<string, (account: AccountSession) => Promise<unknown>> = {
    'at /account': (account) => changePassword(harness.node.services, account, NEW_PASSWORD),
    'by a mailed link': async (account) => reset(await link(account, 'reset_password')),
    'by the operator': ({ email }) =>
      createAccount(harness.database, { email, password: NEW_PASSWORD, resetPassword: true }, new Date()),
  };

  for (const [where, renew] of Object.entries(renewals)) {
    it(`ends the links to set another one when it is set ${where}`, async () => {
      const account = await owner();
      const former = await link(account, 'reset_password');
      await renew(account);
      expect(await reset(former)).to.deep.equal({ kind: 'spent' });
    });

    it(`ends a change of address that is not proved yet when it is set ${where}`, async () => {
      const account = await owner();
      const wanted = freshEmail();
      await changeAddress(harness.node.services, account, wanted);
      const token = await link(account, 'change_address', wanted);
      await renew(account);
      const later = await sessionOf(harness, account.accountId);
      expect(await proveAddress(harness.node.services, later, { token })).to.deep.equal({ kind: 'refused' });
      const rows = await harness.sql('SELECT email FROM accounts WHERE account_id = $1', [account.accountId]);
      expect(rows).to.deep.equal([{ email: account.email }]);
    });
  }

  it('leaves the proof of an address that is not proved yet', async () => {
    const account = await claimant();
    const token = await link(account, 'verify_address');
    const former = await link(account, 'reset_password');
    await changePassword(harness.node.services, account, NEW_PASSWORD);
    expect(await reset(former)).to.deep.equal({ kind: 'spent' });
    expect((await proveAddress(harness.node.services, account, { token })).kind).to.equal('proved');
  });

  async function passkeyBy(token: string): Promise<unknown> {
    const options = (await passkeyResetOptions(harness.node.services, token)) as PasskeyRequest;
    const answer = new SoftAuthenticator(harness.baseUrl).create(options);
    return resetToPasskey(harness.node.services, token, answer, 'A key', 'en');
  }

  for (const [means, enter] of Object.entries({ password: reset, passkey: passkeyBy })) {
    it(`resets what a stranger chose when the owner of the address sets a ${means}`, async () => {
      const account = await claimant();
      await chooseSettings(harness, account.accountId);
      expect(await enter(await link(account, 'reset_password'))).to.include({ kind: 'reset' });
      expect(await settingsOf(harness, account.accountId)).to.deep.equal(SETTINGS_OF_NOBODY);
    });

    it(`keeps what the owner of a proved address chose when they set a ${means}`, async () => {
      const account = await owner();
      await chooseSettings(harness, account.accountId);
      const chosen = await settingsOf(harness, account.accountId);
      expect(await enter(await link(account, 'reset_password'))).to.include({ kind: 'reset' });
      expect(await settingsOf(harness, account.accountId)).to.deep.equal(chosen);
    });
  }
});
