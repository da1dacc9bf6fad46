import { expect } from 'chai';
import type { Request, Response } from 'express';
import { changeAddress, changePassword } from '../../src/accounts/accountSettings.js';
import type { AccountSession } from '../../src/accounts/AccountSession.js';
import { issueToken } from '../../src/accounts/accountToken.js';
import { SessionEnded } from '../../src/accounts/changeAccount.js';
import { deleteAccount } from '../../src/accounts/deleteAccount.js';
import { endAccess } from '../../src/accounts/endAccess.js';
import { addPasskey, passkeyCreationOptions, removePasskey } from '../../src/accounts/passkeys.js';
import { proveAddress } from '../../src/accounts/proveAddress.js';
import type { Database } from '../../src/database/Database.js';
import type { SignInMeans } from '../../src/oauth/accountSession.js';
import { startAccountSession } from '../../src/oauth/accountSession.js';
import { linkedPerson, signInAt } from '../support/linkedPerson.js';
import { sessionOf } from '../support/sessionOf.js';
import { TestService } from '../support/TestService.js';
import { AccessFixture } from '../oauth/AccessFixture.js';
import { OauthHarness } from '../oauth/OauthHarness.js';
import type { PasskeyRequest } from '../oauth/SoftAuthenticator.js';
import { SoftAuthenticator } from '../oauth/SoftAuthenticator.js';

const NEW_PASSWORD = 'harvest lantern cobalt six';

/** Ends all access of the account while `work` waits for the account, as a reset of the password does. */
async function endDuring<Result>(
  database: Database,
  accountId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun: Promise<Result>[] = [];
  await database.transaction(null, async (tx) => {
    await tx.query('SELECT account_id FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
    const own = await tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const running = work();
    running.catch(() => undefined);
    begun.push(running);
    const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    while ((await database.query(waiting, [own?.pid])).length === 0)
      await new Promise((wake) => setTimeout(wake, 10));
    await endAccess(tx, accountId, { passkeys: true });
  });
  return (await Promise.all(begun))[0] as Result;
}

describe('A request whose session ends while it is under way', () => {
  let harness: OauthHarness;
  let access: AccessFixture;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    access = new AccessFixture(harness, await harness.addApp());
  });
  after(() => harness.close());

  async function signedIn(): Promise<AccountSession> {
    const email = `ended${(serial += 1)}@partner.example`;
    const session = await sessionOf(harness, await harness.addAccount(email));
    const rest = { emailVerified: true, locale: 'en', timeZone: null, startedAt: new Date().toISOString() };
    return { ...session, email, ...rest } as AccountSession;
  }

  const state = async ({ accountId }: AccountSession): Promise<unknown[]> => [
    ...(await harness.sql('SELECT * FROM accounts WHERE account_id = $1', [accountId])),
    ...(await access.left(accountId)),
  ];

  async function change(name: string, account: AccountSession): Promise<() => Promise<unknown>> {
    const { services } = harness.node;
    const email = `other-${account.email}`;
    switch (name) {
      case 'sets a password':
        return () => changePassword(services, account, NEW_PASSWORD);
      case 'asks for another address':
        return () => changeAddress(services, account, email);
      case 'proves another address': {
        const data = { email, code: '', return_to: '/' };
        const wanted = { kind: 'change_address', accountId: account.accountId, data } as const;
        const token = await harness.database.transaction(null, (tx) => issueToken(tx, new Date(), wanted));
        return () => proveAddress(services, account, { token });
      }
      case 'adds a passkey': {
        const options = (await passkeyCreationOptions(services, account)) as PasskeyRequest;
        const answer = new SoftAuthenticator(harness.baseUrl).create(options);
        return () => addPasskey(services, account, answer, 'A key');
      }
      case 'removes a passkey':
        return () => removePasskey(services, account, 'a key');
      default:
        return () => deleteAccount(services, account);
    }
  }

  for (const name of [
    'sets a password',
    'asks for another address',
    'proves another address',
    'adds a passkey',
    'removes a passkey',
    'deletes the account',
  ])
    it(`changes nothing when it ${name}`, async () => {
      const account = await signedIn();
      const begin = await change(name, account);
      const [before] = await state(account);
      const failure: unknown = await endDuring(harness.database, account.accountId, begin).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(SessionEnded);
      expect(await state(account), 'nothing gives access any more').to.deep.equal([before]);
    });

  it('begins no session with the passkey that was removed', async () => {
    const { accountId } = await signedIn();
    await access.give(accountId);
    const [key] = await harness.sql('SELECT credential_id FROM passkeys WHERE account_id = $1', [accountId]);
    const request = { headers: {}, ip: '203.0.113.9' } as unknown as Request;
    const response = { append: () => undefined } as unknown as Response;
    const begin = (means: SignInMeans) => () =>
      startAccountSession(harness.node.services, request, response, accountId, means);
    const means = { passkeyId: String(key?.['credential_id']) };
    expect(await begin(means)(), 'while the passkey is there').to.include({ accountId });
    expect(await endDuring(harness.database, accountId, begin(means))).to.equal(undefined);
    expect(await access.left(accountId)).to.deep.equal([]);
  });

  it('leads to the sign-in', async () => {
    const service = await TestService.start({ ROLE: 'gateway' });
    try {
      const person = await linkedPerson(service, await service.makeApp());
      const browser = await signInAt(service.url, person);
      const account = await browser.open('/account');
      const left = await endDuring(service.services.database, person.accountId, () =>
        account.submit('/account/password', { password: NEW_PASSWORD }),
      );
      expect([left.status, left.path]).to.deep.equal([200, '/sign-in']);
    } finally {
      await service.stop();
    }
  });

  it('decides nothing about a connection, and leads to the sign-in', async () => {
    const service = await TestService.start({ ROLE: 'gateway' });
    try {
      const app = await service.makeApp();
      for (const decision of ['approve', 'decline']) {
        const person = await linkedPerson(service, app);
        const input = { customer_id: person.customerId, requested_purposes: ['personalization'] };
        const { session, connection_url: link } = (await app.rest('POST', '/v1/connection-sessions', input))
          .body;
        const browser = await signInAt(service.url, person);
        const page = await (await browser.open(String(link))).submit(`/connect/${String(session.id)}`, {});
        const left = await endDuring(service.services.database, person.accountId, () =>
          page.submit('/decision', { decision, purposes: 'personalization' }),
        );
        expect([left.status, left.path], decision).to.deep.equal([200, '/sign-in']);
        const { body } = await app.rest('GET', `/v1/connection-sessions/${String(session.id)}`);
        expect(body.status, decision).to.equal('created');
      }
    } finally {
      await service.stop();
    }
  });
});
