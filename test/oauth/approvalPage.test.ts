import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { newId } from '../../src/domain/ids.js';
import { RECEIPT_TYPE, receiptPayload } from '../../src/domain/receiptPayload.js';
import { loadSigningKeys } from '../../src/oauth/signingKeys.js';
import { authorizationAddress, CODE_VERIFIER } from './authorizationAddress.js';
import { AuthorizationFixture } from './AuthorizationFixture.js';
import { Browser } from './Browser.js';
import type { OauthHarness } from './OauthHarness.js';
import { PASSWORD, REDIRECT_URI } from './OauthHarness.js';

interface Tokens {
  scope?: string;
  refresh_token?: string;
  id_token?: string;
  error?: string;
}

describe('The approval page of an authorization request', () => {
  let fixture: AuthorizationFixture;
  let harness: OauthHarness;

  before(async () => {
    fixture = await AuthorizationFixture.open();
    ({ harness } = fixture);
  });
  after(() => harness.close());

  async function exchange(away: URL | undefined): Promise<Tokens> {
    const code = away?.searchParams.get('code') ?? '';
    const given = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code };
    const fields = { ...given, code_verifier: CODE_VERIFIER };
    return (await (await harness.post('/oauth/token', fields, fixture.app)).json()) as Tokens;
  }

  it('refuses a form without its token or with the token of another session', async () => {
    const [browser, other] = [new Browser(harness.baseUrl), new Browser(harness.baseUrl)];
    const approval = await fixture.signIn(browser);
    const foreign = await fixture.signIn(other, await fixture.addPerson('foreign'));
    for (const end of ['/decide', '/sign-out']) {
      const form = (page: typeof approval) =>
        page.forms.find(({ action }) => action.endsWith(end)) ?? expect.fail(`There is no form to ${end}.`);
      for (const fields of [{}, form(foreign).fields]) {
        const refused = await browser.open(form(approval).action, { ...fields, decision: 'allow' });
        expect([refused.status, refused.away], end).to.deep.equal([403, undefined]);
        expect(refused.text, 'leads back').to.include(`href="${approval.path}"`);
      }
    }
    expect((await browser.open(approval.path)).text, 'still signed in').to.include('name="decision"');
  });

  it('asks for the password instead of deciding when the person is signed out', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    browser.setCookie('account_session', '');
    const page = await approval.submit('/decide', { decision: 'allow' });
    expect([page.away, page.status]).to.deep.equal([undefined, 200]);
    expect(page.text).to.include('type="password"');
    const again = await page.submit('/sign-in', fixture.member);
    const { away } = await again.submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.get('code')).to.be.a('string');
  });

  it('asks again when another person has signed in meanwhile', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    const second = new Browser(harness.baseUrl);
    await fixture.signIn(second, await fixture.addPerson('second'));
    browser.setCookie('account_session', second.cookie('account_session') ?? '');
    const decided = await approval.submit('/decide', { decision: 'allow' });
    expect(decided.away).to.equal(undefined);
    expect(decided.text).to.include('second@partner.example').and.include('name="decision"');
    expect(decided.path).to.not.equal(approval.path);
  });

  it('sends a person who is not a member back to the client only when they choose so', async () => {
    const who = await fixture.addPerson('no-member', []);
    const refused = await fixture.signIn(new Browser(harness.baseUrl), who);
    expect([refused.status, refused.away]).to.deep.equal([403, undefined]);
    expect(refused.text).to.include(who.email);
    const forced = await refused.submit('/decide', { decision: 'allow' });
    expect([forced.status, forced.away]).to.deep.equal([403, undefined]);
    const { away } = await refused.submit('/decide', { decision: 'deny' });
    expect(away?.searchParams.get('error')).to.equal('access_denied');
    expect(away?.searchParams.get('error_description')).to.equal('the account holder did not allow it');
  });

  it('refuses a member who has none of the requested scopes', async () => {
    const who = await fixture.addPerson('narrow', ['claims:read']);
    const refused = await fixture.signIn(new Browser(harness.baseUrl), who);
    const forced = await refused.submit('/decide', { decision: 'allow' });
    for (const page of [refused, forced])
      expect([page.status, page.away, page.text.includes(who.email)]).to.deep.equal([403, undefined, true]);
  });

  it('refuses a member who has lost all of the requested scopes since an approval', async () => {
    const browser = new Browser(harness.baseUrl);
    const who = await fixture.addPerson('lost-all', ['customers:read']);
    await (await fixture.signIn(browser, who)).submit('/decide', { decision: 'allow' });
    expect((await browser.open(fixture.address())).away, 'nothing is asked').not.to.equal(undefined);
    await harness.sql(
      `UPDATE app_members SET scopes = '{profile:read}'
        WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)`,
      [who.email],
    );
    const refused = await browser.open(fixture.address());
    expect([refused.status, refused.away]).to.deep.equal([403, undefined]);
    const { away } = await browser.open(fixture.address({ prompt: 'none' }));
    expect(away?.searchParams.get('error')).to.equal('interaction_required');
  });

  it('lets a member who has no right in the app tell a client who signed in', async () => {
    const who = await fixture.addPerson('nameless', ['claims:read']);
    for (const [scope, named] of [
      ['openid', 'Know with which account you signed in'],
      ['openid email', 'See your e-mail address'],
    ] as const) {
      const approval = await fixture.signIn(new Browser(harness.baseUrl), who, { scope });
      expect(approval.text).to.include(named);
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      const tokens = await exchange(away);
      expect(tokens, scope).to.include({ scope });
    }
    const stranger = await fixture.addPerson('nobody', []);
    const refused = await fixture.signIn(new Browser(harness.baseUrl), stranger, { scope: 'openid' });
    expect(refused.status).to.equal(403);
  });

  it('lists the e-mail address when the client asks for it', async () => {
    const who = await fixture.addPerson('addressed');
    const scope = 'openid email customers:read';
    const asked = await fixture.signIn(new Browser(harness.baseUrl), who, { scope });
    const plain = await fixture.signIn(new Browser(harness.baseUrl), who);
    const items = (text: string): number => text.split('<li').length;
    expect(items(asked.text)).to.equal(items(plain.text) + 1);
  });

  it('does not ask again for scopes that the member lacked, nor grant them later', async () => {
    const browser = new Browser(harness.baseUrl);
    const who = await fixture.addPerson('growing', ['customers:read']);
    const parameters = { scope: 'customers:read claims:read consent:read' };
    await (await fixture.signIn(browser, who, parameters)).submit('/decide', { decision: 'allow' });
    const { away } = await browser.open(fixture.address(parameters));
    expect(away, 'the person is not asked again').not.to.equal(undefined);
    await harness.sql(
      `UPDATE app_members SET scopes = '{customers:read,claims:read,consent:read}'
        WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)`,
      [who.email],
    );
    expect(await exchange(away)).to.include({ scope: 'customers:read' });
  });

  describe('of a program of which other scopes were approved in the session', () => {
    let browser: Browser;

    /** What a request for these scopes leads to without a question. */
    const granted = async (scope: string): Promise<string | undefined> =>
      (await exchange((await browser.open(fixture.address({ scope }))).away)).scope;

    async function approve(scope: string): Promise<Tokens> {
      const approval = await browser.open(fixture.address({ scope, prompt: 'consent' }));
      return exchange((await approval.submit('/decide', { decision: 'allow' })).away);
    }

    beforeEach(() => {
      browser = new Browser(harness.baseUrl);
    });

    it('does not ask again for any of them, and grants only what each request asks for', async () => {
      const who = await fixture.addPerson('other-scopes', ['customers:read', 'apps:read', 'claims:read']);
      await fixture.signIn(browser, who);
      expect((await approve('customers:read')).scope).to.equal('customers:read');
      expect((await approve('apps:read')).scope).to.equal('apps:read');
      for (const scope of ['customers:read', 'apps:read', 'apps:read customers:read'])
        expect(await granted(scope)).to.equal(scope);
      const asked = await browser.open(fixture.address({ scope: 'customers:read claims:read' }));
      expect(asked.text, 'of what was not approved').to.include('name="decision"');
    });

    it('lets a refresh token have only the scopes of its own request', async () => {
      const who = await fixture.addPerson('other-refresh', ['customers:read', 'apps:read', 'offline_access']);
      await fixture.signIn(browser, who);
      await approve('customers:read');
      const { refresh_token: first = '' } = await approve('apps:read offline_access');
      const refresh = async (fields: Record<string, string>): Promise<Tokens> => {
        const form = { grant_type: 'refresh_token', ...fields };
        return (await (await harness.post('/oauth/token', form, fixture.app)).json()) as Tokens;
      };
      expect(await refresh({ refresh_token: first, scope: 'customers:read' })).to.include({
        error: 'invalid_scope',
      });
      expect((await refresh({ refresh_token: first })).scope).to.equal('apps:read offline_access');
    });

    it('takes the latest decision on a scope that the member lacked at first', async () => {
      const who = await fixture.addPerson('other-lacking', ['customers:read']);
      await fixture.signIn(browser, who);
      expect((await approve('customers:read apps:read')).scope).to.equal('customers:read');
      await harness.sql(
        `UPDATE app_members SET scopes = '{customers:read,apps:read}'
          WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)`,
        [who.email],
      );
      expect((await approve('apps:read')).scope).to.equal('apps:read');
      expect(await granted('apps:read customers:read')).to.equal('apps:read customers:read');
    });
  });

  it('refuses to sign out a person who is not signed in', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    browser.setCookie('account_session', '');
    const refused = await approval.submit('/sign-out', {});
    expect([refused.status, refused.away]).to.deep.equal([403, undefined]);
  });

  it('asks for the password instead of deciding when the client demands a new sign-in', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    const { fields } = approval.forms.find(({ action }) => action.endsWith('/decide')) ?? {};
    const waiting = await browser.open(fixture.address({ prompt: 'login' }));
    const page = await browser.open(`${waiting.path}/decide`, { ...fields, decision: 'allow' });
    expect([page.away, page.path]).to.deep.equal([undefined, waiting.path]);
    expect(page.text).to.include('type="password"');
  });

  it('names the page of this service that sent the request', async () => {
    const redirectUri = `${harness.baseUrl}/graphiql/callback`;
    const own = await fixture.signIn(new Browser(harness.baseUrl), fixture.member, {
      redirect_uri: redirectUri,
    });
    expect(own.text).to.include('GraphiQL').and.include('Harbour Books');
    const plain = await fixture.signIn(new Browser(harness.baseUrl));
    expect(plain.text).to.not.include('GraphiQL');
  });

  it('asks for approval of offline access with every prompt but none', async () => {
    const who = await fixture.addPerson('offline');
    const scope = 'customers:read offline_access';
    for (const parameters of [{}, { prompt: 'consent' }, { prompt: 'login' }]) {
      const browser = new Browser(harness.baseUrl);
      const approval = await fixture.signIn(browser, who, { scope, ...parameters });
      expect(approval.text, JSON.stringify(parameters)).to.include('offline_access');
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      expect(away?.searchParams.get('code')).to.be.a('string');
      const again = await browser.open(fixture.address({ scope }));
      expect(again.text, 'and asks each time').to.include('offline_access').and.include('name="decision"');
      const silent = await browser.open(fixture.address({ scope, prompt: 'none' }));
      expect(silent.away?.searchParams.get('code'), 'but not where no page is wanted').to.be.a('string');
    }
  });

  it('answers interaction_required to prompt=none when the person is not a member', async () => {
    const browser = new Browser(harness.baseUrl);
    await fixture.signIn(browser, await fixture.addPerson('unasked', []));
    const { away } = await browser.open(fixture.address({ prompt: 'none' }));
    expect(away?.searchParams.get('error')).to.equal('interaction_required');
    expect(away?.searchParams.get('error_description')).to.equal('no access to the app');
  });

  it('names the language of the page that posts the answer to the partner', async () => {
    const posting = fixture.address({ prompt: 'none', response_mode: 'form_post' });
    const { text, headers } = await new Browser(harness.baseUrl).open(posting);
    expect(text)
      .to.match(/^<!DOCTYPE html>\n<html lang="en">\n/)
      .and.include('name="error"');
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
  });

  it('does not apply the approval of one person to another in the same browser', async () => {
    const browser = new Browser(harness.baseUrl);
    const approval = await fixture.signIn(browser);
    await approval.submit('/decide', { decision: 'allow' });
    const before = await browser.open(fixture.address());
    expect(before.away?.searchParams.has('code'), 'approved before').to.equal(true);
    const next = new Browser(harness.baseUrl);
    await fixture.signIn(next, await fixture.addPerson('next'));
    browser.setCookie('account_session', next.cookie('account_session') ?? '');
    const page = await browser.open(fixture.address());
    expect(page.away).to.equal(undefined);
    expect(page.text).to.include('next@partner.example');
    browser.setCookie('account_session', '');
    const left = await browser.open(fixture.address());
    expect(left.away).to.equal(undefined);
    expect(left.text, 'nor to nobody').to.include('type="password"');
  });

  it('grants nothing that was not shown, and shows it first', async () => {
    const scope = 'customers:read profile:read webhooks:write';
    const who = await fixture.addPerson('shown', ['customers:read']);
    const approval = await fixture.signIn(new Browser(harness.baseUrl), who, { scope });
    expect(approval.text).to.not.include('profile:read');
    await harness.sql(
      `UPDATE app_members SET scopes = '{customers:read,profile:read,webhooks:write}'
        WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)`,
      [who.email],
    );
    const again = await approval.submit('/decide', { decision: 'allow' });
    expect([again.status, again.away]).to.deep.equal([409, undefined]);
    expect(again.text).to.include('profile:read').and.include('webhooks:write');
    const { away } = await again.submit('/decide', { decision: 'allow' });
    expect(await exchange(away)).to.include({ scope });
  });

  it('sends nothing to a redirect URI that the app no longer has', async () => {
    const app = await harness.addApp();
    const who = 'moved@partner.example';
    await harness.addAccount(who, { [app.appId]: ['customers:read'] });
    const page = await new Browser(harness.baseUrl).open(authorizationAddress(app));
    const approval = await page.submit('/sign-in', { email: who, password: PASSWORD });
    await harness.sql(`UPDATE apps SET redirect_uris = '{https://other.example/}' WHERE app_id = $1`, [
      app.appId,
    ]);
    for (const decision of ['allow', 'deny']) {
      const ended = await approval.submit('/decide', { decision });
      expect([ended.status, ended.away], decision).to.deep.equal([400, undefined]);
    }
  });

  it('takes a person who is signed in for the one of id_token_hint', async () => {
    const who = await fixture.addPerson('hinted');
    const first = await fixture.signIn(new Browser(harness.baseUrl), who, { scope: 'openid' });
    const { away } = await first.submit('/decide', { decision: 'allow' });
    const { id_token = '' } = await exchange(away);
    const hint = { scope: 'openid', id_token_hint: id_token };
    for (const [person, text] of [
      [who, 'name="decision"'],
      [await fixture.addPerson('unhinted'), 'type="password"'],
    ] as const) {
      const browser = new Browser(harness.baseUrl);
      const elsewhere = new Browser(harness.baseUrl);
      await fixture.signIn(elsewhere, person);
      browser.setCookie('account_session', elsewhere.cookie('account_session') ?? '');
      expect((await browser.open(fixture.address(hint))).text, person.email).to.include(text);
    }
  });

  it('refuses a consent receipt as id_token_hint, also one of before they had a type', async () => {
    const { node, baseUrl } = harness;
    const grantedAt = new Date().toISOString();
    const receipt = { id: newId('rcp'), appId: fixture.app.appId, status: 'active', purposes: [], grantedAt };
    const [key = {}] = (await loadSigningKeys(node.services)).jwks;
    const hintOf = (typ: string | undefined, subject: string): Promise<string> =>
      new SignJWT(receiptPayload({ ...receipt, customerId: subject }, baseUrl))
        .setProtectedHeader({ alg: 'ES256', kid: key.kid ?? '', ...(typ === undefined ? {} : { typ }) })
        .sign(key);
    const customer = receiptPayload({ ...receipt, customerId: newId('cus') }, baseUrl);
    const hints = {
      'a receipt': await node.server.signJws(RECEIPT_TYPE, customer),
      'a receipt without a type': await hintOf(undefined, newId('cus')),
      'another type': await hintOf(RECEIPT_TYPE, newId('acc')),
      garbage: 'garbage',
    };
    for (const [name, id_token_hint] of Object.entries(hints)) {
      const { away } = await new Browser(baseUrl).open(fixture.address({ scope: 'openid', id_token_hint }));
      expect(away?.searchParams.get('error'), name).to.equal('invalid_request');
      expect(away?.searchParams.get('error_description'), name).to.equal('could not validate id_token_hint');
    }
    const person = await hintOf(undefined, newId('acc'));
    const page = await new Browser(baseUrl).open(fixture.address({ scope: 'openid', id_token_hint: person }));
    expect(page.text, 'of an account').to.include('type="password"');
  });

  it('refuses a repeated prompt with offline_access as without it', async () => {
    for (const scope of ['openid', 'openid offline_access']) {
      const address = `${fixture.address({ scope })}&prompt=login&prompt=none`;
      const { away } = await new Browser(harness.baseUrl).open(address);
      expect(away?.searchParams.get('error'), scope).to.equal('invalid_request');
    }
  });

  it('asks again after the person signed out and in, and not after signing in again alone', async () => {
    const browser = new Browser(harness.baseUrl);
    const who = await fixture.addPerson('leaving');
    const scope = 'openid customers:read';
    const approval = await fixture.signIn(browser, who, { scope });
    await approval.submit('/decide', { decision: 'allow' });
    expect((await browser.open(fixture.address({ scope }))).away?.searchParams.has('code')).to.equal(true);
    await setTimeout(2001);
    const older = await browser.open(fixture.address({ scope, max_age: '1' }));
    const renewed = await older.submit('/sign-in', who);
    expect(renewed.away?.searchParams.has('code'), 'signed in again').to.equal(true);
    const open = await browser.open(fixture.address({ scope, prompt: 'consent' }));
    await open.submit('/sign-out', {});
    const page = await browser.open(fixture.address({ scope }));
    const asked = await page.submit('/sign-in', who);
    expect(asked.text).to.include('name="decision"');
  });

  it('asks again after the session was ended elsewhere', async () => {
    const browser = new Browser(harness.baseUrl);
    const who = await fixture.addPerson('ended');
    const approval = await fixture.signIn(browser, who);
    await approval.submit('/decide', { decision: 'allow' });
    const open = await browser.open(fixture.address({ prompt: 'consent' }));
    await harness.sql('DELETE FROM account_sessions');
    const page = await browser.open(open.path);
    const asked = await page.submit('/sign-in', who);
    expect(asked.text).to.include('name="decision"');
    const { away } = await asked.submit('/decide', { decision: 'allow' });
    expect(away?.searchParams.get('code')).to.be.a('string');
  });
});
