import { expect } from 'chai';
import type { Request, Response } from 'express';
import type { AccountSession } from '../../src/accounts/AccountSession.js';
import type { AccountServices } from '../../src/accounts/AccountServices.js';
import {
  endAccountSession,
  readAccountSession,
  startAccountSession,
} from '../../src/oauth/accountSession.js';
import { endAppSession, readAppSession, startAppSession } from '../../src/oauth/appSession.js';
import type { AppSession } from '../../src/oauth/appSession.js';
import { DASHBOARD, GRAPHIQL } from '../../src/oauth/firstPartyPages.js';
import { LIFETIMES } from '../../src/oauth/lifetimes.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

/** The cookies of one browser, kept as the service sets them. */
class Cookies {
  readonly lines: string[] = [];
  private readonly kept = new Map<string, string>();

  readonly response = {
    append: (_name: string, line: string) => {
      this.lines.push(line);
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      this.kept.set(name, value);
    },
  } as unknown as Response;

  get request(): Request {
    const cookie = [...this.kept].map(([name, value]) => `${name}=${value}`).join('; ');
    return { headers: { cookie, 'user-agent': 'A browser' }, ip: '203.0.113.9' } as unknown as Request;
  }

  value(name: string): string | undefined {
    return this.kept.get(name);
  }

  set(name: string, value: string): void {
    this.kept.set(name, value);
  }
}

describe('The sessions of a browser', () => {
  let harness: OauthHarness;
  let services: AccountServices;
  let app: TestApp;
  let now: number;
  let serial = 0;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
  });
  after(() => harness.close());
  beforeEach(() => {
    now = Date.now();
    services = { ...harness.node.services, clock: () => new Date(now) };
  });

  const newAccount = () => harness.addAccount(`browser${(serial += 1)}@partner.example`);

  function behind(baseUrl: string): AccountServices {
    return { ...services, config: { ...services.config, baseUrl } };
  }

  describe('of an account', () => {
    async function rows(token: string | undefined): Promise<Record<string, unknown>[]> {
      return harness.sql('SELECT * FROM account_sessions WHERE token_hash = $1', [
        hashSecretToken(token ?? ''),
      ]);
    }

    it('identify the account for twelve hours', async () => {
      const [browser, accountId] = [new Cookies(), await newAccount()];
      const started = await startAccountSession(services, browser.request, browser.response, accountId);
      expect(started).to.deep.equal({ accountId, startedAt: new Date(now).toISOString() });
      expect(await readAccountSession(services, browser.request)).to.deep.equal({
        accountId,
        email: `browser${serial}@partner.example`,
        emailVerified: true,
        locale: 'en',
        timeZone: null,
        id: hashSecretToken(browser.value('account_session') ?? ''),
        startedAt: new Date(now).toISOString(),
      });
      expect(LIFETIMES.session).to.equal(12 * 3600);
      now += LIFETIMES.session * 1000 - 1;
      expect(await readAccountSession(services, browser.request)).to.include({ accountId });
      now += 1;
      expect(await readAccountSession(services, browser.request)).to.equal(undefined);
    });

    it('do not begin with a password that has been replaced since it was checked', async () => {
      const [browser, accountId] = [new Cookies(), await newAccount()];
      const [account] = await harness.sql('SELECT password_hash FROM accounts WHERE account_id = $1', [
        accountId,
      ]);
      const checked = String(account?.['password_hash']);
      const begin = () =>
        startAccountSession(services, browser.request, browser.response, accountId, {
          passwordHash: checked,
        });
      expect(await begin()).to.include({ accountId });
      await harness.sql(`UPDATE accounts SET password_hash = 'another' WHERE account_id = $1`, [accountId]);
      await harness.sql('DELETE FROM account_sessions WHERE account_id = $1', [accountId]);
      expect(await begin()).to.equal(undefined);
      const left = await harness.sql('SELECT 1 FROM account_sessions WHERE account_id = $1', [accountId]);
      expect(left).to.deep.equal([]);
    });

    it('store the network and the first 400 characters of the user agent', async () => {
      const [browser, accountId] = [new Cookies(), await newAccount()];
      const long = { 'user-agent': 'x'.repeat(401) };
      const request = { headers: long, ip: '2001:db8:1:2:3:4:5:6' } as unknown as Request;
      await startAccountSession(services, request, browser.response, accountId);
      expect((await rows(browser.value('account_session')))[0]).to.include({
        user_agent: 'x'.repeat(400),
        address: '20010db800010002/64',
      });
      const bare = { headers: {}, ip: undefined } as unknown as Request;
      await startAccountSession(services, bare, browser.response, accountId);
      const row = { user_agent: null, address: 'unknown' };
      expect((await rows(browser.value('account_session')))[0]).to.include(row);
    });

    it('have a cookie with the prefix __Host- over https', async () => {
      const accountId = await newAccount();
      for (const [baseUrl, name, end] of [
        ['https://api.example', '__Host-account_session', '; Secure'],
        ['http://localhost:4000', 'account_session', ''],
      ] as const) {
        const browser = new Cookies();
        await startAccountSession(behind(baseUrl), browser.request, browser.response, accountId);
        expect(browser.lines.find((line) => line.includes(name))).to.match(
          new RegExp(`^${name}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200${end}$`),
        );
        expect(await readAccountSession(behind(baseUrl), browser.request)).to.include({ accountId });
      }
    });

    it('do not exist without a cookie, with an empty cookie or with an unknown one', async () => {
      const browser = new Cookies();
      expect(await readAccountSession(services, browser.request)).to.equal(undefined);
      await harness.sql(
        `INSERT INTO account_sessions (token_hash, account_id, created_at, expires_at)
          VALUES ($1, $2, now(), now() + interval '1 day')`,
        [hashSecretToken(''), await newAccount()],
      );
      for (const value of ['', 'made-up']) {
        browser.set('account_session', value);
        expect(await readAccountSession(services, browser.request), value).to.equal(undefined);
        await endAccountSession(services, browser.request, browser.response);
      }
      expect(await rows('')).to.have.length(1);
    });

    it('end at the next sign-in or sign-out of the same browser and of no other', async () => {
      const accountId = await newAccount();
      const [browser, other] = [new Cookies(), new Cookies()];
      await startAccountSession(services, other.request, other.response, accountId);
      await startAccountSession(services, browser.request, browser.response, accountId);
      const first = browser.value('account_session');
      await startAccountSession(services, browser.request, browser.response, accountId);
      expect(await rows(first)).to.deep.equal([]);
      const second = browser.value('account_session');
      expect(await rows(second)).to.have.length(1);
      await endAccountSession(services, browser.request, browser.response);
      expect(await rows(second)).to.deep.equal([]);
      expect(browser.lines.at(-1)).to.equal('account_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      expect(await readAccountSession(services, other.request)).to.include({ accountId });
    });

    it('set a language cookie only when the person has chosen a language', async () => {
      const accountId = await newAccount();
      await harness.sql(
        `UPDATE accounts SET locale = 'de', time_zone = 'Europe/Berlin' WHERE account_id = $1`,
        [accountId],
      );
      const begin = async (): Promise<Cookies> => {
        const browser = new Cookies();
        await startAccountSession(services, browser.request, browser.response, accountId);
        return browser;
      };
      const before = await begin();
      const names = ({ lines }: Cookies) => lines.map((line) => line.split('=')[0]);
      expect(names(before).slice(-2)).to.deep.equal(['account_session', 'device']);
      expect(await readAccountSession(services, before.request)).to.include({
        locale: 'de',
        timeZone: 'Europe/Berlin',
      });
      await harness.sql(`UPDATE accounts SET locale_chosen = true WHERE account_id = $1`, [accountId]);
      const after = await begin();
      expect(names(after).slice(-3, -1)).to.deep.equal(['account_session', 'device']);
      expect(after.lines.at(-1)).to.match(/^[\w-]+=de; /);
    });
  });

  describe('of a page for an app', () => {
    async function signedIn(browser: Cookies): Promise<AccountSession> {
      await startAccountSession(services, browser.request, browser.response, await newAccount());
      return (await readAccountSession(services, browser.request)) ?? expect.fail('There is no session.');
    }

    const visitOf = ({ request, response }: Cookies, account: AccountSession) => {
      return { services, request, response, account };
    };

    const session = (): AppSession => ({
      appId: app.appId,
      accessToken: 'the-token',
      scopes: ['customers:read'],
      isNarrowed: true,
    });

    it('are encrypted and readable only with the browser and account that began them', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      await startAppSession(visitOf(browser, account), GRAPHIQL, session());
      expect(await readAppSession(services, GRAPHIQL, browser.request, account)).to.deep.equal(session());
      expect(browser.lines.at(-1)).to.match(
        /^graphiql_session=[\w-]{43}; Path=\/graphiql; HttpOnly; SameSite=Lax; Max-Age=43200$/,
      );
      const stored = await harness.sql('SELECT * FROM graphiql_sessions WHERE account_id = $1', [
        account.accountId,
      ]);
      expect(stored).to.have.length(1);
      expect(JSON.stringify(stored)).to.not.include('the-token');
      const another = await signedIn(new Cookies());
      expect(await readAppSession(services, GRAPHIQL, browser.request, another)).to.equal(undefined);
      expect(await readAppSession(services, GRAPHIQL, new Cookies().request, account)).to.equal(undefined);
    });

    it('are not valid for another page under any cookie name', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      await startAppSession(visitOf(browser, account), GRAPHIQL, session());
      expect(await readAppSession(services, DASHBOARD, browser.request, account)).to.equal(undefined);
      browser.set('dashboard_session', browser.value('graphiql_session') ?? '');
      expect(await readAppSession(services, DASHBOARD, browser.request, account)).to.equal(undefined);
    });

    it('end after twelve hours', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      await startAppSession(visitOf(browser, account), DASHBOARD, session());
      now += LIFETIMES.session * 1000 - 1;
      expect(await readAppSession(services, DASHBOARD, browser.request, account)).to.not.equal(undefined);
      now += 1;
      expect(await readAppSession(services, DASHBOARD, browser.request, account)).to.equal(undefined);
    });

    it('end explicitly or at the next session of the same page, and not with other pages', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      for (const page of [GRAPHIQL, DASHBOARD, GRAPHIQL])
        await startAppSession(visitOf(browser, account), page, session());
      const count = async (): Promise<number> =>
        (await harness.sql('SELECT 1 FROM graphiql_sessions WHERE account_id = $1', [account.accountId]))
          .length;
      expect(await count()).to.equal(2);
      await endAppSession(visitOf(browser, account), GRAPHIQL);
      expect(await count()).to.equal(1);
      expect(browser.lines.at(-1)).to.match(/^graphiql_session=; Path=\/graphiql; .*Max-Age=0$/);
      expect(await readAppSession(services, GRAPHIQL, browser.request, account)).to.equal(undefined);
      expect(await readAppSession(services, DASHBOARD, browser.request, account)).to.deep.equal(session());
    });

    it('end at sign-out, or at the next sign-in after it has ended, not at one within it', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      const { accountId } = account;
      const signIn = () => startAccountSession(services, browser.request, browser.response, accountId);
      const begin = async (): Promise<void> => {
        for (const page of [GRAPHIQL, DASHBOARD])
          await startAppSession(visitOf(browser, account), page, session());
      };
      const open = async (): Promise<(AppSession | undefined)[]> => [
        await readAppSession(services, GRAPHIQL, browser.request, account),
        await readAppSession(services, DASHBOARD, browser.request, account),
      ];
      await begin();
      await signIn();
      expect(await open(), 'a sign-in within the session').to.deep.equal([session(), session()]);
      await endAccountSession(services, browser.request, browser.response);
      for (const line of [
        /^graphiql_session=; Path=\/graphiql; .*=0$/,
        /^dashboard_session=; Path=\/dashboard; .*=0$/,
      ])
        expect(browser.lines.filter((each) => line.test(each))).to.not.deep.equal([]);
      await signIn();
      expect(await open(), 'after sign-out').to.deep.equal([undefined, undefined]);
      await begin();
      now += LIFETIMES.session * 1000;
      await signIn();
      now -= LIFETIMES.session * 1000;
      expect(await open(), 'after a session that ended by itself').to.deep.equal([undefined, undefined]);
    });

    it('do not exist with an empty cookie', async () => {
      const browser = new Cookies();
      const account = await signedIn(browser);
      await startAppSession(visitOf(browser, account), GRAPHIQL, session());
      await harness.sql('UPDATE graphiql_sessions SET token_hash = $1 WHERE account_id = $2', [
        hashSecretToken(''),
        account.accountId,
      ]);
      browser.set('graphiql_session', '');
      expect(await readAppSession(services, GRAPHIQL, browser.request, account)).to.equal(undefined);
      await endAppSession(visitOf(browser, account), GRAPHIQL);
      const left = await harness.sql('SELECT 1 FROM graphiql_sessions WHERE account_id = $1', [
        account.accountId,
      ]);
      expect(left).to.have.length(1);
    });
  });
});
