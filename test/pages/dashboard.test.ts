import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import type { Page, WebSocketRoute } from 'playwright-core';
import { WebSocket } from 'ws';
import type { Scope } from '../../src/domain/scopes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { DashboardMembers } from './support/DashboardMembers.js';
import type { DashboardData } from './support/dashboardData.js';
import { fillDashboard } from './support/dashboardData.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { openDashboard, settled } from './support/openDashboard.js';
import { PagesHarness, PASSWORD } from './support/PagesHarness.js';
import { claimShoeSize, personWithFact } from './support/personWithFact.js';
import { upgradeStatus } from './support/upgradeStatus.js';
import { Visitor } from './support/Visitor.js';
import { IN_PROOFS, itInProofs } from '../support/itInProofs.js';

describeInBrowser('the dashboard, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let members: DashboardMembers;
  let data: DashboardData;

  before(async () => {
    harness = await PagesHarness.open();
    data = await fillDashboard(harness);
    visitor = await Visitor.arrive();
    members = new DashboardMembers(harness, visitor);
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await data?.receiver.stop();
    await harness?.close();
  });

  const arrive = (path: string, scopes: readonly Scope[] = ALL_SCOPES): Promise<Page> =>
    members.arrive(path, scopes);

  const customerPath = (): string => `/customers/${data.mira.customerId}`;

  it('shows a customer and the explanation of a fact after sign-in', async () => {
    const page = await arrive('/customers');
    await page.getByRole('searchbox', { name: 'External id' }).fill('member-1');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: '1 item on this page' }).waitFor();
    await page.getByRole('link', { name: /member-1001/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Mira Lindqvist' }).waitFor();
    await page.getByRole('button', { name: /home\.city/ }).click();
    const dialog = page.getByRole('dialog', { name: 'home.city' });
    await dialog.getByRole('heading', { name: 'How the confidence came about' }).waitFor();
    const steps = await dialog.locator('.waterfall tbody tr').allTextContents();
    expect(steps[0]).to.match(/^Before any claim/);
    expect(steps.filter((step) => step.startsWith('Claim of'))).to.have.length(4);
    const parts = (await dialog.locator('.waterfall tbody tr .end').allTextContents()).map(Number);
    const result = parts.pop() ?? 0;
    // Each is rounded to two places, and what is rounded to nothing is left out.
    expect(parts.reduce((sum, part) => sum + part, 0)).to.be.closeTo(result, 0.06);
    expect(await dialog.getByRole('group', { name: 'Alternatives' }).textContent()).to.include('Malmö');
  });

  it('keeps the token out of the page, and runs nothing that its policy refuses', async () => {
    const page = await visitor.newPerson();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await openDashboard(harness, page, await harness.newMember([...ALL_SCOPES]), customerPath());
    await page.locator('.gates').waitFor();
    const { rows } = await harness.sql(
      'SELECT sealed FROM graphiql_sessions ORDER BY expires_at DESC LIMIT 1',
    );
    const sealed = harness.running.services.secrets.open(String(rows[0]?.['sealed']));
    const { accessToken } = JSON.parse(sealed) as { accessToken: string };
    const reachable = await page.evaluate(
      `JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])`,
    );
    expect(accessToken).to.have.length.above(20);
    expect(reachable).not.to.include(accessToken);
    expect(await page.content()).not.to.include(accessToken);
    expect(errors).to.deep.equal([]);
  });

  itInProofs('watches a connection session from created to completed', async () => {
    const page = await arrive(`${customerPath()}/sessions`);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const link = await page.locator('.copyable.block code').textContent();
    const current = page.locator('.progress [aria-current]');
    expect(await current.textContent()).to.equal('Created');
    await page.locator('.live').getByText('Live').waitFor();

    const person = await visitor.newPerson();
    await person.goto(link ?? '');
    await person.getByRole('button', { name: 'Continue' }).click();
    await approveAsMember(person);
    await current.getByText('Authorized').waitFor();
    expect(await page.locator('.details').textContent()).to.include('Approved');
    await page.getByRole('button', { name: 'Record consent' }).click();
    await current.getByText('Completed').waitFor();
  });

  /** A person with a proven address approves everything. */
  async function approveAsMember(person: Page): Promise<void> {
    const email = await harness.newMember([]);
    await harness.sql(`UPDATE accounts SET email_verified = true WHERE email = $1`, [email]);
    await person.getByLabel('E-mail address').fill(email);
    await person.getByLabel('Password').fill(PASSWORD);
    await person.getByRole('button', { name: 'Sign in', exact: true }).click();
    await person.getByRole('timer').waitFor();
    for (const box of await person.getByRole('checkbox').all()) await box.check();
    await person.getByRole('button', { name: 'Approve what I ticked' }).click();
    await person.getByRole('button', { name: 'Approve what I ticked' }).waitFor({ state: 'detached' });
  }

  it('removes withdrawn data from the open page with the reason', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await arrive(`/customers/${customerId}?purpose=ANALYTICS&fact=ANALYTICS.shoe.size`);
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await page.locator('.live').getByText('Live').waitFor();
    const fact = page.getByText('43.5');
    await fact.first().waitFor();
    const began = performance.now();
    const revoked = harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, {
      reason: 'user_request',
    });
    await fact.first().waitFor({ state: 'detached' });
    const gone = performance.now() - began;
    expect((await revoked).status).to.equal(202);
    await page.getByText('Analytics was withdrawn').first().waitFor();
    await settled(page);
    const told = await page.locator('main').innerText();
    expect(told).to.match(/The consent ended at .* What this page showed of it was removed at once/);
    expect(told).to.include('No consent receipt grants this purpose now.');
    await page.getByRole('link', { name: 'Claims' }).click();
    await page.getByText('Analytics was withdrawn').last().waitFor();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await settled(page);
    expect(await page.locator('main').innerText(), 'nothing comes back out of the cache').not.to.include(
      '43.5',
    );
    if (IN_PROOFS) expect(gone, 'milliseconds').to.be.below(2000);
  });

  it('learns and shows nothing after sign-out in another tab', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await members.arriveAnew(customerFact(customerId), ALL_SCOPES);
    await page.locator('.live').getByText('Live').waitFor();
    await page.getByText('43.5').first().waitFor();
    const cookies = await page.context().cookies();
    const headers = {
      Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      Origin: harness.baseUrl,
    };
    const address = `${harness.baseUrl}/dashboard/live?app_id=${harness.partner.appId}`;
    const socket = createSocketClient({
      url: address.replace('http', 'ws'),
      webSocketImpl: class extends WebSocket {
        constructor(url: string, protocols: string) {
          super(url, protocols, { headers });
        }
      },
      retryAttempts: 0,
    });
    const streams = createSseClient({ url: address, headers, retryAttempts: 0 });
    const query = `subscription { consentChanged(customerId: "${customerId}") { purposes { purpose status } } }`;
    const told = [socket, streams].map((client) => {
      const events: string[] = [];
      const ended = new Promise<void>((end) => {
        const next = (event: unknown): void => void events.push(JSON.stringify(event));
        client.subscribe({ query }, { next, error: () => end(), complete: end });
      });
      return { events, ended };
    });
    while (told.some(({ events }) => events.length === 0)) await sleep(20);

    const other = await page.context().newPage();
    await other.goto(`${harness.baseUrl}/connections`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await Promise.all(told.map(({ ended }) => ended));
    for (const { events } of told) {
      expect(events.slice(0, -1).join()).not.to.include('REVOKED');
      expect(events.at(-1)).to.include('UNAUTHENTICATED');
    }
    await page.getByRole('alertdialog', { name: 'Please sign in again' }).waitFor();
    await page.getByText('43.5').first().waitFor({ state: 'detached' });
    expect(await page.locator('main').innerText()).to.equal('');
  });

  it('shows nothing withdrawn out of its cache while the answer is under way', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await arrive(`/customers/${customerId}/claims`);
    const claim = page.getByText('43.5');
    await claim.first().waitFor();
    await page.getByRole('link', { name: 'Consent', exact: true }).click();
    await page.locator('.live').getByText('Live').waitFor();
    await page.locator('.timeline li').first().waitFor();
    const answer = await holdAnswers(page);
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await page.getByText('Analytics was withdrawn').first().waitFor();
    await page.getByRole('link', { name: 'Claims', exact: true }).click();
    await page.locator('#main .skeleton').first().waitFor();
    expect(await claim.count(), 'opened after the withdrawal').to.equal(0);
    answer();
    await settled(page);
    expect(await claim.count(), 'after the answer').to.equal(0);
  });

  it('drops withdrawn claims before they are read again', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    await claimShoeSize(harness, customerId, '', 'survey');
    const page = await arrive(`/customers/${customerId}/claims`);
    const claim = page.getByText('43.5');
    await claim.first().waitFor();
    await page.getByRole('cell', { name: '(empty)' }).waitFor();
    await page.locator('.live').getByText('Live').waitFor();
    await holdAnswers(page);
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await claim.first().waitFor({ state: 'detached' });
    await page.getByText('Analytics was withdrawn').first().waitFor();
  });

  /** Keeps back the answers to queries until the function that it returns is called. */
  async function holdAnswers(page: Page): Promise<() => void> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/dashboard/query?*', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    return release;
  }

  for (const hears of [true, false])
    it(`shows a profile again after a new consent${hears ? '' : ' that it may not hear of'}`, async () => {
      const { customerId, receiptId } = await personWithFact(harness);
      const scopes: Scope[] = hears ? [...ALL_SCOPES] : ['customers:read', 'profile:read'];
      const page = await arrive(`/customers/${customerId}?purpose=ANALYTICS`, scopes);
      const fact = page.getByText('43.5').first();
      const denied = page.locator('.empty-state').getByText(/Analytics (was withdrawn|is closed)/);
      await fact.waitFor();
      await page.locator('.live').getByText('Live').waitFor();
      await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
      await denied.waitFor();
      const granted = await harness.attempt('POST', '/v1/consent-receipts', {
        customer_id: customerId,
        purposes: ['analytics'],
      });
      await claimShoeSize(harness, customerId);
      if (!hears) await page.evaluate(`dispatchEvent(new Event('online'))`);
      await fact.waitFor();
      const path = `/v1/consent-receipts/${String(granted.body['id'])}/revoke`;
      await harness.attempt('POST', path, { reason: 'user_request' });
      await fact.waitFor({ state: 'detached' });
      await denied.waitFor();
    });

  it('receives a withdrawal over event streams when a proxy forbids WebSockets', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await arriveWith((person) => withoutSockets(person), customerFact(customerId));
    await page.locator('.live').getByText('Live').waitFor();
    const fact = page.getByText('43.5');
    await fact.first().waitFor();
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await fact.first().waitFor({ state: 'detached' });
    await page.getByText('Analytics was withdrawn').first().waitFor();
  });

  it('receives a withdrawal by reading again when a proxy forbids live updates altogether', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await arrive('/customers');
    await withoutSockets(page);
    await page.route('**/dashboard/live?*', (route) => route.abort());
    await page.goto(`${harness.baseUrl}/dashboard${customerFact(customerId)}`);
    await page.locator('.live').getByText('Reconnecting').waitFor();
    const fact = page.getByText('43.5').first();
    await fact.waitFor();
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await page.getByText('Analytics was withdrawn').first().waitFor();
    expect(await fact.count()).to.equal(0);
  });

  it('drops what is behind the gate while the service is away, and reads it when it is back', async () => {
    const { customerId, receiptId } = await personWithFact(harness);
    const page = await arrive('/customers');
    const line = await connectionThatFails(page);
    await page.goto(`${harness.baseUrl}/dashboard${customerFact(customerId)}`);
    const fact = page.getByText('43.5').first();
    await fact.waitFor();
    await page.locator('.live').getByText('Live').waitFor();
    await line.cut();
    await fact.waitFor({ state: 'detached', timeout: 20_000 });
    await page.getByText('The service cannot be reached.').waitFor();
    await line.mend();
    await fact.waitFor();
    await line.cut();
    await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
    await fact.waitFor({ state: 'detached', timeout: 20_000 });
    await line.mend();
    await page.getByText('Analytics was withdrawn').first().waitFor();
    expect(await fact.count()).to.equal(0);
  });

  it('drops what is behind the gate when its connection falls silent', async () => {
    const { customerId } = await personWithFact(harness);
    const page = await arrive('/customers');
    const line = await connectionThatFails(page);
    await page.clock.install();
    await page.goto(`${harness.baseUrl}/dashboard/customers/${customerId}/claims`);
    const claim = page.getByText('43.5').first();
    await claim.waitFor();
    await page.locator('.live').getByText('Live').waitFor();
    const held = await line.fallSilent();
    // A ping, the longest wait for its answer, the patience with a connection that is begun anew.
    for (const ms of [5000, 5000, 2000]) await page.clock.fastForward(ms);
    await claim.waitFor({ state: 'detached', timeout: 20_000 });
    while (held.requests === 0) await page.waitForTimeout(20);
    await page.clock.fastForward(15_000);
    await page.getByText('The service cannot be reached.').waitFor();
  });

  /** A page whose way to the service can be closed, or fall silent, as behind a router that lost its line. */
  async function connectionThatFails(page: Page) {
    let isCut = false;
    let isSilent = false;
    const sockets = new Set<WebSocketRoute>();
    await page.routeWebSocket(/dashboard\/live/, (socket) => {
      if (isCut) return void socket.close({ code: 1001 });
      sockets.add(socket);
      const server = socket.connectToServer();
      socket.onMessage((message) => isSilent || server.send(message));
      server.onMessage((message) => isSilent || socket.send(message));
    });
    return {
      cut: async () => {
        isCut = true;
        await page.route('**/dashboard/{query,live}?*', (route) => route.abort());
        for (const socket of sockets) await socket.close({ code: 1001 });
        sockets.clear();
      },
      mend: async () => {
        isCut = false;
        await page.unroute('**/dashboard/{query,live}?*');
      },
      fallSilent: async () => {
        isSilent = true;
        const held = { requests: 0 };
        await page.route('**/dashboard/query?*', () => void (held.requests += 1));
        return held;
      },
    };
  }

  it('serves event streams only to its own page with a session', async () => {
    const body = JSON.stringify({ query: 'subscription { workflowChanged(id: "wf_1") { id } }' });
    const post = (headers: Record<string, string>, { appId } = harness.partner) =>
      fetch(`${harness.baseUrl}/dashboard/live?app_id=${appId}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
        body,
      });
    expect((await post({ Origin: harness.baseUrl })).status, 'no session').to.equal(401);
    const page = await arrive('/customers');
    const cookies = await page.context().cookies();
    const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await post({ Cookie, Origin: 'https://elsewhere.example' })).status, 'another origin').to.equal(
      401,
    );
    expect((await post({ Cookie })).status, 'no origin').to.equal(401);
    const own = { Cookie, Origin: harness.baseUrl };
    expect((await post({ ...own, Accept: 'application/json' })).status, 'no stream').to.equal(406);
    expect((await post(own, await harness.newPartner('Harbour Books'))).status, 'another app').to.equal(401);
    const answer = await post(own);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    await answer.text();
  });

  itInProofs('shows new sessions, workflows and customers in lists that are open', async () => {
    const page = await arrive('/sessions');
    const { session } = await harness.newSession(
      {},
      { ...harness.partner, customerId: data.mira.customerId },
    );
    await page.getByRole('link', { name: session.id }).waitFor();
    await page.goto(`${harness.baseUrl}/dashboard/customers`);
    await settled(page);
    const { body } = await harness.attempt('POST', '/v1/customers', {
      external_id: `newcomer-${Date.now()}`,
    });
    const { external_id: name } = body['customer'] as { external_id: string };
    await page.getByRole('link', { name }).waitFor();
  });

  function customerFact(customerId: string): string {
    return `/customers/${customerId}?purpose=ANALYTICS&fact=ANALYTICS.shoe.size`;
  }

  async function arriveWith(prepare: (page: Page) => Promise<void>, path: string): Promise<Page> {
    const page = await visitor.newPerson();
    await prepare(page);
    await openDashboard(harness, page, await harness.newMember([...ALL_SCOPES]), path);
    return page;
  }

  /** Every socket is closed before the service has answered on it. */
  function withoutSockets(page: Page): Promise<void> {
    return page.routeWebSocket(/dashboard\/live/, (socket) => void socket.close({ code: 1001 }));
  }

  /** Of everybody: who renews a token gets other cookies. */
  async function expireTokens(): Promise<void> {
    await harness.sql(`DELETE FROM oauth_artifacts WHERE kind = 'AccessToken'`);
    members.forget();
  }

  it('renews an expired token without a message', async () => {
    const page = await arrive(customerPath());
    await expireTokens();
    await page.getByRole('link', { name: 'Claims' }).click();
    await page.locator('.data tbody tr').first().waitFor();
    expect(await page.getByRole('alertdialog').count()).to.equal(0);
  });

  itInProofs('says that the service is away when a token cannot be renewed yet, and goes on', async () => {
    const page = await arrive(customerPath());
    await expireTokens();
    await page.route('**/dashboard/renew?*', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('link', { name: 'Claims' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.getByRole('alertdialog').count()).to.equal(0);
    await page.unroute('**/dashboard/renew?*');
    await page.locator('.data tbody tr').first().waitFor();
  });

  it('asks to sign in again when a renewal is refused and returns to the same address', async () => {
    const page = await visitor.newPerson();
    const email = await harness.newMember(['customers:read', 'profile:read', 'consent:read']);
    const path = `${customerPath()}/consent?purpose=ANALYTICS`;
    await openDashboard(harness, page, email, path);
    await harness.sql(
      `UPDATE app_members SET scopes = '{customers:read,profile:read,claims:read}'
        WHERE account_id = (SELECT account_id FROM accounts WHERE email = $1)`,
      [email],
    );
    await expireTokens();
    // The page reads again, as when the network comes back.
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByRole('alertdialog', { name: 'Please sign in again' }).waitFor();
    const address = page.url();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('button', { name: /^Open/ }).click();
    await page.locator('button[value=allow]').click();
    await settled(page);
    expect(page.url()).to.equal(address);
    await page.getByText('Your role does not include this').waitFor();
  });

  itInProofs('sends a message again, and shows its attempts', async () => {
    const page = await arrive(`/webhooks/${data.endpointId}`);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('A test message is on its way').waitFor();
    const row = page.getByRole('row', { name: /webhook\.test/ }).first();
    await row.getByText('Delivered').waitFor();
    await row.getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'Message' });
    await dialog.getByText('Attempt 1').waitFor();
    const id = await dialog.locator('.copyable code').first().textContent();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('Attempt 2').waitFor();
    expect(data.receiver.idsReceived().filter((received) => received === id)).to.have.length(2);
  });

  itInProofs('shows a message that it sends while live updates are interrupted', async () => {
    const page = await visitor.newPerson();
    // The socket opens, and nobody answers.
    await page.routeWebSocket(/\/dashboard\/live$/, () => undefined);
    const email = await harness.newMember([...ALL_SCOPES]);
    await openDashboard(harness, page, email, `/webhooks/${data.endpointId}`);
    await page.locator('.data tbody tr').first().waitFor();
    const rows = page.getByRole('row', { name: /webhook\.test/ });
    const before = await rows.count();
    await page.getByRole('button', { name: 'Send test' }).click();
    await rows.nth(before).waitFor();
  });

  it("rotates the endpoint's and the app's secrets after asking, and shows them once", async () => {
    const page = await arrive(`/webhooks/${data.endpointId}`);
    await rotate(page);
    expect(await secretShown(page)).to.match(/^whsec_/);
    await page.goto(`${harness.baseUrl}/dashboard/app/credentials`);
    await rotate(page);
    const secret = await secretShown(page);
    const basic = Buffer.from(`${harness.partner.appId}:${secret}`).toString('base64');
    const token = await fetch(`${harness.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(token.status, 'the new secret works').to.equal(200);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.to.include(secret);
  });

  async function rotate(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Rotate secret…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret', exact: true }).click();
    await page.getByText('Shown once.').waitFor();
  }

  async function secretShown(page: Page): Promise<string> {
    return (await page.locator('.dialog .copyable code').textContent()) ?? '';
  }

  itInProofs('explains what a member without a scope does not see', async () => {
    const page = await arrive('/customers', ['customers:read', 'profile:read']);
    await page.getByText('Not readable').first().waitFor();
    await page.goto(`${harness.baseUrl}/dashboard${customerPath()}/consent`);
    await page.getByText('Your role does not include this').waitFor();
    expect(await page.locator('.empty-state code').allTextContents()).to.deep.equal(['consent:read']);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Your role does not include this').waitFor();
    expect(await page.getByRole('button', { name: 'Add endpoint' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: /Erase customer/ }).count()).to.equal(0);
  });

  itInProofs('shows the note of a withdrawal beside that withdrawal alone', async () => {
    const { body: created } = await harness.attempt('POST', '/v1/customers', {
      external_id: `walker-${Date.now()}`,
    });
    const customerId = (created['customer'] as { id: string }).id;
    const { body: receipt } = await harness.attempt('POST', '/v1/consent-receipts', {
      customer_id: customerId,
      purposes: ['analytics', 'support', 'measurement'],
    });
    const revoke = (purpose: string, note: object) =>
      harness.attempt('POST', `/v1/consent-receipts/${String(receipt['id'])}/revoke`, {
        purposes: [purpose],
        ...note,
      });
    await revoke('analytics', { note: 'asked by phone' });
    await revoke('support', { note: 'asked at the desk' });
    const page = await arrive(`/customers/${customerId}/consent`);
    const entries = page.locator('.timeline .withdrawn');
    await entries.nth(1).waitFor();
    expect(await entries.nth(0).innerText()).to.include('asked at the desk');
    expect(await entries.nth(1).innerText(), 'another withdrawal').not.to.include('asked');
    await revoke('measurement', {});
    await entries.nth(2).waitFor();
    expect(await page.locator('.timeline').innerText(), 'the latest has no note').not.to.include('asked');
  });

  itInProofs('says that the service refused a whole request', async () => {
    const page = await arrive(customerPath());
    const refused = {
      errors: [{ message: 'Too many requests.', extensions: { code: 'RATE_LIMITED', status: 429 } }],
    };
    await page.route('**/dashboard/query?*', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/graphql-response+json; charset=utf-8',
        body: JSON.stringify(refused),
      }),
    );
    await page.getByRole('link', { name: 'Claims', exact: true }).click();
    await page.getByText('Too many requests at once.').waitFor();
    await page.goto(`${harness.baseUrl}/dashboard/workflows`);
    await page.getByText('Too many requests at once.').waitFor();
    await page.unroute('**/dashboard/query?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await settled(page);
  });

  itInProofs('continues after the network was interrupted', async () => {
    const page = await arrive(customerPath());
    await page.locator('.live').getByText('Live').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('link', { name: 'Intents' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.locator('.data tbody tr').first().waitFor();
    expect(await page.getByText('You are offline.').count()).to.equal(0);
  });

  itInProofs('says that a list may be out of date while it cannot be read again', async () => {
    const page = await arrive('/customers');
    const rows = page.locator('.data tbody tr');
    const before = await rows.count();
    const told = page.getByRole('status').getByText('What you see may be out of date');
    await page.route('**/dashboard/query?*', (route) => route.fulfill({ status: 503 }));
    await told.waitFor({ timeout: 20_000 });
    expect(await rows.count()).to.equal(before);
    await page.unroute('**/dashboard/query?*');
    await told.waitFor({ state: 'detached' });
  });

  itInProofs('shows a page that was opened while the service was away once it is back', async () => {
    const page = await arrive('/customers');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Catalog' }).click();
    await page.waitForRequest('**/dashboard');
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  });

  itInProofs('can be used with the keyboard alone', async () => {
    const page = await arrive(customerPath());
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
    const opener = page.getByRole('button', { name: /home\.city/ });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .locator(':focus')
      .filter({ hasText: /^home\.city/ })
      .waitFor();
    await page.getByRole('button', { name: /Purpose/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(/purpose=MEASUREMENT/);
  });

  it('pages through customers by cursor, back and forth', async () => {
    const page = await arrive('/customers');
    const newest = page.getByRole('link', { name: /member-1001/ });
    await newest.waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/after=/);
    await newest.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous' }).click();
    await newest.waitFor();
  });

  it('refuses sockets of other sites and without a session', async () => {
    const page = await arrive('/customers');
    const cookie = (await page.context().cookies(`${harness.baseUrl}/dashboard`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const { baseUrl, partner } = harness;
    const status = (headers: Record<string, string>, { appId } = partner) =>
      upgradeStatus(baseUrl, appId, headers);
    expect(await status({ cookie, origin: baseUrl })).to.equal(101);
    expect(await status({ cookie, origin: 'https://evil.example' })).to.equal(401);
    expect(await status({ cookie })).to.equal(401);
    expect(await status({ origin: baseUrl })).to.equal(401);
    const other = await harness.newPartner('Larch Lamps');
    expect(await status({ cookie, origin: baseUrl }, other), 'another app').to.equal(401);
  });

  itInProofs('stops in a tab once another tab has opened another app', async () => {
    const other = await harness.newPartner('Willow Wares');
    const email = await harness.newMember([...ALL_SCOPES]);
    await harness.sql(
      `INSERT INTO app_members SELECT $1, account_id, $2, now(), now() FROM accounts WHERE email = $3`,
      [other.appId, ALL_SCOPES, email],
    );
    const page = await visitor.newPerson();
    await openDashboard(harness, page, email);
    const tab = await page.context().newPage();
    await tab.goto(`${harness.baseUrl}/dashboard`);
    await tab.getByRole('button', { name: /^Account and appearance/ }).click();
    await tab.getByRole('button', { name: 'Switch app' }).click();
    await tab.getByRole('button', { name: /Willow Wares/ }).click();
    await tab.locator('button[value=allow]').click();
    await settled(tab);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const told = page.getByRole('alertdialog', { name: 'Another app is open in this browser' });
    await told.waitFor();
    expect(await page.locator('#main tbody tr').count(), 'nothing of the other app').to.equal(0);
    const renewal = `/dashboard/renew?app_id=${harness.partner.appId}`;
    expect((await page.context().request.get(harness.baseUrl + renewal)).status()).to.equal(409);
    await told.getByRole('button', { name: 'Load the page again' }).click();
    await settled(page);
    expect(await page.locator('.app-name').textContent()).to.equal('Willow Wares');
  });
});
