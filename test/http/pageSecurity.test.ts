import { expect } from 'chai';
import { makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const BACK = 'https://partner.example/callback';
const PASSWORD = 'gravel orchid teapot nine';

/** Fetches as a browser would: cookies kept, redirects not followed. */
class CookieJar {
  readonly cookies = new Map<string, string>();

  async get(url: string): Promise<Response> {
    return this.send(url, { headers: {} });
  }

  async post(
    url: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.send(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  private async send(
    url: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { ...init, headers: { cookie, ...init.headers }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }
}

/** The token of the page's first form whose action begins so. */
function formTokenOf(page: string, action = ''): string {
  const form = page.slice(page.indexOf(`action="${action}`));
  return /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe('The security of the pages', () => {
  let service: TestService;
  let app: TestPartner;
  let customerId: string;
  let people = 0;

  before(async () => {
    service = await TestService.start();
    app = await service.makeAppWith({ redirect_uris: [BACK, 'com.example.app:/back'] });
    customerId = await makeCustomer(app);
  });

  after(() => service.stop());

  async function newLink(): Promise<{ id: string; token: string; clean: string; link: string }> {
    const { body } = await app.rest('POST', '/v1/connection-sessions', {
      customer_id: customerId,
      requested_purposes: ['analytics'],
      redirect_uri: BACK,
    });
    const clean = `${service.url}/connect/${body.session.id}`;
    return {
      id: body.session.id,
      token: body.client_token,
      clean,
      link: `${clean}?client_token=${body.client_token}`,
    };
  }

  async function signedUp(jar: CookieJar): Promise<string> {
    const page = await (await jar.get(`${service.url}/sign-up`)).text();
    const email = `person${(people += 1)}@example.org`;
    const fields = { form_token: formTokenOf(page), email, password: PASSWORD };
    expect((await jar.post(`${service.url}/sign-up`, fields)).status).to.equal(303);
    await service.sql('UPDATE accounts SET email_verified = true WHERE claimed_email = $1', [email]);
    return email;
  }

  it('sets strict headers on every page', async () => {
    const { link, clean } = await newLink();
    for (const url of [
      link,
      clean,
      `${service.url}/sign-in`,
      `${service.url}/sign-up`,
      `${service.url}/connect/x`,
    ]) {
      const { headers } = await fetch(url);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, url).to.include("default-src 'none'").and.to.include("base-uri 'none'");
      expect(policy, url).not.to.match(/unsafe|\*|data:/);
      expect(headers.get('referrer-policy'), url).to.equal('no-referrer');
      expect(headers.get('cache-control'), url).to.equal('no-store');
      expect(headers.get('x-content-type-options'), url).to.equal('nosniff');
    }
  });

  it("lets only the app's own origins frame its connect page, and nobody any other", async () => {
    const { link } = await newLink();
    const policyOf = async (url: string) => (await fetch(url)).headers.get('content-security-policy');
    expect(await policyOf(link)).to.match(/frame-ancestors https:\/\/partner\.example$/);
    expect(await policyOf(`${service.url}/sign-in`)).to.match(/frame-ancestors 'none'$/);
  });

  it('keeps cookies from scripts and other sites, and the connection cookie to its session', async () => {
    const { clean, link, token, id } = await newLink();
    const jar = new CookieJar();
    const form = formTokenOf(await (await jar.get(link)).text());
    const answer = await jar.post(clean, { form_token: form, client_token: token });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, `/connect/${id}`]);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).to.match(new RegExp(`^connect=[\\w-]{43}; Path=/connect/${id}; HttpOnly; SameSite=Lax$`));
  });

  it('marks cookies Secure over https', async () => {
    const url = await service.addNode({ BASE_URL: 'https://consent.example' });
    const [cookie] = (await fetch(`${url}/sign-in`)).headers.getSetCookie();
    expect(cookie).to.match(/; Secure$/);
  });

  it('refuses a form of another site and a form without a token of its own', async () => {
    const { clean, link, token } = await newLink();
    const [jar, other] = [new CookieJar(), new CookieJar()];
    const good = formTokenOf(await (await jar.get(link)).text());
    const foreign = formTokenOf(await (await other.get(link)).text());
    const wrongForm = formTokenOf(await (await jar.get(`${service.url}/sign-in`)).text());
    for (const form of ['', foreign, wrongForm, `${good}x`]) {
      expect((await jar.post(clean, { form_token: form, client_token: token })).status).to.equal(403);
    }
    const site = { 'sec-fetch-site': 'cross-site' };
    expect((await jar.post(clean, { form_token: good, client_token: token }, site)).status).to.equal(403);
    expect((await jar.post(clean, { client_token: token })).status).to.equal(403);
    expect(
      (await jar.post(clean, { form_token: good, client_token: token })).status,
      'nothing was spent',
    ).to.equal(303);
  });

  it('accepts a decision only from the browser that redeemed the link and its account', async () => {
    const { clean, link, token } = await newLink();
    const jar = new CookieJar();
    await signedUp(jar);
    const start = formTokenOf(await (await jar.get(link)).text());
    await jar.post(clean, { form_token: start, client_token: token });
    const decision = {
      form_token: formTokenOf(await (await jar.get(clean)).text(), new URL(`${clean}/decision`).pathname),
      decision: 'approve',
      purposes: 'analytics',
    };
    const thief = new CookieJar();
    await signedUp(thief);
    expect((await thief.post(`${clean}/decision`, decision)).status, 'no connection cookie').to.equal(403);
    thief.cookies.set('connect', jar.cookies.get('connect') ?? '');
    expect((await thief.post(`${clean}/decision`, decision)).status, 'another person').to.equal(403);
    const read = () => app.rest('GET', clean.replace(`${service.url}/connect`, '/v1/connection-sessions'));
    expect((await read()).body.status).to.equal('created');
    const extra = { ...decision, purposes: 'support' };
    expect((await jar.post(`${clean}/decision`, extra)).status, 'a purpose that was not asked for').to.equal(
      422,
    );
    for (const said of ['', 'Approve', 'DECLINE', 'approve,decline']) {
      const unclear = await jar.post(`${clean}/decision`, { ...decision, decision: said });
      expect(unclear.status, `the decision "${said}"`).to.equal(422);
      expect(await unclear.text(), 'stays ticked').to.match(/value="analytics"[^>]* checked/);
    }
    expect((await read()).body.status, 'nothing was decided').to.equal('created');
    expect((await jar.post(`${clean}/decision`, decision)).headers.get('location')).to.include(
      'status=authorized',
    );
    expect((await read()).body.status).to.equal('authorized');
  });

  it('starts a new session at each sign-in and ends it at sign-out', async () => {
    const jar = new CookieJar();
    jar.cookies.set('account_session', 'planted-by-somebody-else');
    const email = await signedUp(jar);
    const first = jar.cookies.get('account_session') ?? '';
    expect(first).not.to.equal('planted-by-somebody-else');
    const page = await (await jar.get(`${service.url}/sign-in`)).text();
    await jar.post(`${service.url}/sign-in`, { form_token: formTokenOf(page), email, password: PASSWORD });
    const second = jar.cookies.get('account_session') ?? '';
    expect(second).not.to.equal(first);
    const visit = (session: string) =>
      fetch(`${service.url}/connections`, {
        headers: { cookie: `account_session=${session}` },
        redirect: 'manual',
      });
    expect((await visit(first)).status, 'the earlier one has ended').to.equal(303);
    const own = await (await jar.get(`${service.url}/connections`)).text();
    expect((await jar.post(`${service.url}/sign-out`, { form_token: formTokenOf(own) })).status).to.equal(
      303,
    );
    expect((await visit(second)).status).to.equal(303);
  });

  it('redirects to no other site after signing in', async () => {
    const jar = new CookieJar();
    await signedUp(jar);
    for (const wanted of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const url = `${service.url}/sign-in?return_to=${encodeURIComponent(wanted)}`;
      expect(await (await jar.get(url)).text()).not.to.include('evil.example');
      const answer = await jar.post(`${service.url}/sign-out?return_to=${encodeURIComponent(wanted)}`, {});
      expect(answer.headers.get('location') ?? '').not.to.include('evil.example');
    }
  });

  it('escapes text of partners and visitors', async () => {
    const hostile = await service.makeAppWith({
      name: '<script>alert(1)</script>"\'',
      redirect_uris: [BACK],
    });
    const { body } = await hostile.rest('POST', '/v1/connection-sessions', {
      customer_id: await makeCustomer(hostile),
      requested_purposes: ['analytics'],
    });
    const page = await (await fetch(body.connection_url)).text();
    expect(page).not.to.include('<script>alert');
    expect(page).to.include('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;');
    const echoed = await (await fetch(`${service.url}/sign-in?return_to=%22%3E%3Cscript%3E`)).text();
    expect(echoed).not.to.include('"><script>');
  });

  it("stops serving a disabled app's links", async () => {
    const gone = await service.makeApp();
    const { body } = await gone.rest('POST', '/v1/connection-sessions', {
      customer_id: await makeCustomer(gone),
      requested_purposes: ['analytics'],
    });
    await service.admin.rest('PATCH', `/v1/apps/${gone.appId}`, { status: 'disabled' });
    expect((await fetch(body.connection_url)).status).to.equal(404);
  });

  it('answers unreadable forms and unknown pages with a readable page', async () => {
    const huge = await fetch(`${service.url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'x'.repeat(40_000) }),
    });
    expect(huge.status).to.equal(400);
    expect(await huge.text()).to.include('Please try that once more');
    const unknown = await fetch(`${service.url}/connections/nothing`);
    expect(unknown.status).to.equal(404);
    expect(unknown.headers.get('content-type')).to.include('text/html');
    for (const path of [
      '/dashboard/customers/%E0%A4%A',
      '/connect/%FF',
      '/dashboard/customers?external_id=%00',
    ]) {
      const garbled = await fetch(`${service.url}${path}`);
      expect([path, garbled.status]).to.deep.equal([path, 404]);
      expect(await garbled.text()).to.include('There is nothing here');
    }
  });

  it('answers an unknown address to a browser with a page, to a program with JSON', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = (path: string, headers: Record<string, string>, method = 'GET') =>
      fetch(service.url + path, { method, headers });
    const kindOf = ({ headers }: Response) => headers.get('content-type');
    const [page, json] = ['text/html; charset=utf-8', 'application/json; charset=utf-8'];
    for (const [language, title] of [
      ['en', 'There is nothing here'],
      ['de', 'Hier ist nichts'],
    ] as const) {
      for (const path of ['/nowhere', '/connect', '/account/nothing', '/logos/a/b.png', '/%FF']) {
        const answer = await open(path, { accept: browser, 'accept-language': language });
        expect([path, answer.status, kindOf(answer)]).to.deep.equal([path, 404, page]);
        expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'");
        expect(await answer.text())
          .to.include(`<html lang="${language}">`)
          .and.include(`<title>${title} · `);
      }
    }
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json', 'image/png,*/*']) {
      const answer = await open('/nowhere', { accept });
      expect([accept, answer.status, kindOf(answer)]).to.deep.equal([accept, 404, json]);
      const { error } = (await answer.json()) as { error: Record<string, string> };
      expect([error['code'], error['message']]).to.deep.equal(['not_found', 'There is nothing here.']);
    }
    for (const path of [
      '/v1/nowhere',
      '/graphql/nowhere',
      '/oauth/nowhere',
      '/oauth/interaction/a/b/c',
      '/.well-known/nowhere',
      '/operator/nowhere',
    ])
      expect([path, kindOf(await open(path, { accept: browser }))]).to.deep.equal([path, json]);
    expect(kindOf(await open('/nowhere', { accept: browser }, 'POST')), 'not opened').to.equal(json);
  });
});
