import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import type { Scope } from '../../src/domain/scopes.js';
import { axeViolations } from './support/axe.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';
import { SignedInMembers } from './support/SignedInMembers.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('GraphiQL, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let members: SignedInMembers;

  before(async () => {
    harness = await PagesHarness.open({ RATE_LIMITS: 'read=6000,token=6000' });
    visitor = await Visitor.arrive();
    members = new SignedInMembers(harness, visitor);
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  /** The workbench of a member who signed in before, in this test or in another. */
  async function openWorkbench(scopes: readonly Scope[], options?: BrowserContextOptions): Promise<Page> {
    const goOn = async (page: Page): Promise<void> => {
      await page.goto(`${harness.baseUrl}/graphiql`);
      await workbench(page);
    };
    return members.arrive(scopes, { signIn: comeToWork, goOn }, options);
  }

  /** Of everybody. Renewing begins another session, with another cookie. */
  async function expireTokens(): Promise<void> {
    await harness.sql(`DELETE FROM oauth_artifacts WHERE kind = 'AccessToken'`);
    members.forget();
  }

  /** From the door to the open workbench. */
  async function comeToWork(page: Page, email: string): Promise<void> {
    await comeToPick(page, email);
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    await allow(page);
  }

  /** From the door to the choice of the app and the rights. */
  async function comeToPick(page: Page, email: string): Promise<void> {
    await page.goto(`${harness.baseUrl}/graphiql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Which app?' }).waitFor();
  }

  async function allow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await workbench(page);
  }

  async function workbench(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1, name: `GraphiQL: ${PARTNER}` }).waitFor();
    await page.locator('.graphiql-query-editor').waitFor();
  }

  async function run(page: Page): Promise<string> {
    const answered = page.waitForResponse((answer) => isQuery(answer) && answer.status() !== 401);
    await page.getByRole('button', { name: /Execute query/ }).click();
    const answer = await (await answered).text();
    await page
      .locator('.graphiql-response .CodeMirror-code')
      .getByText(/"(data|errors)"/)
      .first()
      .waitFor();
    return answer;
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.locator('.graphiql-query-editor .CodeMirror').first().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
    await understood(page, undefined);
  }

  /** GraphiQL takes up what was written after a moment. */
  async function understood(page: Page, operation: string | undefined): Promise<void> {
    const name = `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.operations?.[0]?.name?.value`;
    while ((await page.evaluate(name)) !== operation) await page.waitForTimeout(20);
  }

  it('goes from signing in to a profile query, and shows the rights it has', async () => {
    const email = await harness.newMember(['customers:read', 'profile:read', 'consent:read']);
    const page = await visitor.newPerson();
    await comeToWork(page, email);
    await page.getByText('3 rights').click();
    expect(await page.locator('.scopes code').allTextContents()).to.have.members([
      'customers:read',
      'profile:read',
      'consent:read',
    ]);
    const query = `{ resolvedProfile(customerId: "${harness.partner.customerId}") {
      customerId facts { attribute } } }`;
    await write(page, query);
    expect(await run(page)).to.include(harness.partner.customerId);
    await write(page, `{ app(id: "${harness.partner.appId}") { name } }`);
    expect(await run(page), 'not among the rights').to.include('INSUFFICIENT_SCOPE');
  });

  it('keeps the token out of the page', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await harness.newMember(['customers:read']));
    const cookies = await page.context().cookies();
    // The page's own script writes the reader's time zone.
    const readable = cookies.filter(({ httpOnly, name }) => !httpOnly && name !== 'time_zone');
    expect(readable).to.deep.equal([]);
    const reachable = await page.evaluate(
      `JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])`,
    );
    const { rows } = await harness.sql(
      'SELECT sealed FROM graphiql_sessions ORDER BY expires_at DESC LIMIT 1',
    );
    const { accessToken } = JSON.parse(
      harness.running.services.secrets.open(String(rows[0]?.['sealed'])),
    ) as {
      accessToken: string;
    };
    expect(accessToken).to.have.length.above(20);
    expect(reachable).not.to.include(accessToken);
    expect(await page.content()).not.to.include(accessToken);
  });

  it('offers saved operations and renews its token without a message', async () => {
    const page = await openWorkbench(['customers:read']);
    await page.getByRole('button', { name: 'Examples' }).first().click();
    await page.getByRole('button', { name: 'Find a customer with profile and consent' }).click();
    const editors = page.locator('.graphiql-query-editor .CodeMirror-code');
    await editors.getByText('FindCustomer').first().waitFor();
    await page.getByRole('button', { name: 'List the newest customers' }).click();
    await editors.getByText('NewestCustomers').first().waitFor();
    await expireTokens();
    expect(await run(page)).to.include(harness.partner.customerId);
  });

  it('tells the events of a subscription until it is stopped, before and after its token ends', async () => {
    const page = await openWorkbench(['consent:read']);
    await expireTokens();
    const { customerId } = harness.partner;
    const text = `subscription { consentChanged(customerId: "${customerId}") { purposes { purpose } } }`;
    await write(page, text);
    await page.getByRole('button', { name: /Execute query/ }).click();
    const shown = page.locator('.graphiql-response .CodeMirror-code');
    await shown.getByText('"purposes"').waitFor();
    const { status } = await harness.attempt('POST', '/v1/consent-receipts', {
      customer_id: customerId,
      purposes: ['measurement'],
    });
    expect(status).to.equal(201);
    await shown.getByText('"MEASUREMENT"').waitFor();
    const renewed = page.waitForResponse((answer) => answer.url().includes('/graphiql/renew'));
    await expireTokens();
    await renewed;
    await harness.attempt('POST', '/v1/consent-receipts', { customer_id: customerId, purposes: ['support'] });
    await shown.getByText('"SUPPORT"').waitFor();
    expect(await shown.innerText()).not.to.include('errors');
    await page.getByRole('button', { name: /Stop query/ }).click();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
  });

  itInProofs('runs the text of the editor immediately after a change', async () => {
    const page = await openWorkbench(['customers:read']);
    await page.getByRole('button', { name: 'Examples' }).first().click();
    await page.getByRole('button', { name: 'Find a customer with profile and consent' }).click();
    await understood(page, 'FindCustomer');
    const answered = page.waitForResponse(isQuery);
    // Both in one turn of the page's loop, sooner than anything of GraphiQL that waits a moment.
    await page.evaluate(`{
      const named = (text) => [...document.querySelectorAll('button')].find((button) => button.textContent ===
        text);
      named('List the newest customers').click();
      document.querySelector('.graphiql-execute-button').click();
    }`);
    const answer = await answered;
    expect(answer.request().postDataJSON()).to.have.property('query').that.includes('NewestCustomers');
    expect(await answer.text()).to.include(harness.partner.customerId);
  });

  itInProofs('opens the scopes over the page without moving the editor', async () => {
    const page = await openWorkbench(['customers:read', 'profile:read', 'consent:read']);
    const editor = page.locator('#graphiql');
    const before = await editor.boundingBox();
    await page.getByText('3 rights').click();
    const right = page.locator('.scopes code').last();
    await right.waitFor();
    expect(await editor.boundingBox()).to.deep.equal(before);
    // A trial click fails where something else lies above it.
    await right.click({ trial: true });
    const list = await page.locator('.scopes ul').boundingBox();
    expect((list?.y ?? 0) + (list?.height ?? 0)).to.be.above(before?.y ?? Infinity);
    await page.keyboard.press('Escape');
    await right.waitFor({ state: 'hidden' });
  });

  itInProofs('fills a fresh idempotency key into an example each time it is chosen', async () => {
    const page = await openWorkbench(['customers:read']);
    await page.getByRole('button', { name: 'Examples' }).first().click();
    const keys = new Set<string>();
    for (const name of ['Create or update a customer', 'Send a claim', 'Send a claim', 'Withdraw consent']) {
      await page.getByRole('button', { name }).click();
      const stated = await page.evaluate(`document.querySelectorAll('.graphiql-editor-tool .CodeMirror')[0]
        .CodeMirror.getValue()`);
      const { key } = JSON.parse(String(stated)) as { key: string };
      expect(key).to.match(/^[0-9a-f]{32}$/);
      keys.add(key);
    }
    expect(keys.size).to.equal(4);
  });

  itInProofs('shows the time and the quota of each answer', async () => {
    const page = await openWorkbench(['customers:read']);
    const answered = page.waitForResponse((answer) => isQuery(answer) && !isIntrospection(answer));
    await page.getByRole('button', { name: /Execute query/ }).click();
    const quota = (await answered).headers()['ratelimit'];
    expect(quota).to.match(/r=\d+/);
    const shown = page.locator('#answer-cost');
    await shown.getByText('Answered in').waitFor();
    expect(await shown.textContent()).to.match(/^Answered in \d+ ms · cost: 1 · /);
    expect(await shown.textContent()).to.include(`RateLimit: ${quota}`);
  });

  it('offers read-only access first and renews with only the chosen scopes', async () => {
    const page = await visitor.newPerson();
    await comeToPick(page, await harness.newMember(['customers:read', 'customers:write', 'consent:write']));
    const ways = page.locator('main form button:visible');
    expect(await ways.first().textContent(), 'first').to.equal('Open read-only');
    await ways.first().click();
    expect(await page.locator('.rights code').allTextContents()).to.deep.equal(['customers:read']);
    await allow(page);
    await page.getByText('One right').waitFor();
    await write(page, `mutation { updateCustomer(id: "x", input: {}, idempotencyKey: "k") { id } }`);
    expect(await run(page)).to.include('INSUFFICIENT_SCOPE');
    await expireTokens();
    await write(page, '{ customers(first: 1) { nodes { id } } }');
    expect(await run(page)).to.include(harness.partner.customerId);
    await page.reload();
    await page.getByText('One right').waitFor();
  });

  it('opens with the chosen scopes but none that the person lacks', async () => {
    const page = await visitor.newPerson();
    await comeToPick(page, await harness.newMember(['customers:read', 'customers:write', 'consent:write']));
    await page.getByText('Choose single rights').click();
    const ticked = page.getByRole('checkbox', { checked: true });
    expect(await ticked.count()).to.equal(1);
    await page.getByLabel('See customers').uncheck();
    await page.getByLabel('Record and withdraw consent of customers').check();
    // Another right, smuggled into the form.
    await page
      .locator('input[value="customers:write"]')
      .evaluate('(box) => { box.value = "apps:write"; box.checked = true }');
    await page.getByRole('button', { name: 'Open with these' }).click();
    expect(await page.locator('.rights code').allTextContents()).to.deep.equal(['consent:write']);
  });

  itInProofs('shows one part at a time on a phone: docs, examples, editor, answer', async () => {
    const page = await openWorkbench(['customers:read'], { viewport: { width: 390, height: 844 } });
    const [docs, editor, answer] = ['.graphiql-doc-explorer', '.graphiql-editors', '.graphiql-response'].map(
      (part) => page.locator(`#graphiql ${part}`),
    );
    const seen = async (): Promise<boolean[]> =>
      Promise.all([docs, editor, answer].map(async (part) => (await part?.isVisible()) === true));
    const tab = (name: string) => page.locator('#graphiql-parts').getByRole('button', { name });
    await tab('Editor').waitFor();
    expect(await seen()).to.deep.equal([false, true, false]);
    await tab('Docs').click();
    await docs?.waitFor();
    expect(await seen()).to.deep.equal([true, false, false]);
    await tab('Examples').click();
    await page.getByRole('button', { name: 'List the newest customers' }).click();
    await editor?.waitFor();
    expect(await seen()).to.deep.equal([false, true, false]);
    const width = await editor?.evaluate((part: { clientWidth: number }) => part.clientWidth);
    expect(width, 'the editor has the width of the page').to.be.above(300);
    await understood(page, 'NewestCustomers');
    expect(await run(page)).to.include(harness.partner.customerId);
    expect(await seen(), 'running leads to the answer').to.deep.equal([false, false, true]);
    expect(await tab('Answer').getAttribute('aria-pressed')).to.equal('true');
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'nothing sticks out').to.equal(390);
  });

  itInProofs('shows in the docs which scope a field needs', async () => {
    const page = await openWorkbench(['customers:read']);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const docs = page.locator('.graphiql-doc-explorer');
    await docs.getByRole('link', { name: 'Query', exact: true }).click();
    await docs.getByRole('link', { name: 'resolvedProfile', exact: true }).click();
    await docs.getByText('profile:read').first().waitFor();
    expect(await docs.textContent()).to.match(/Needs profile:read/);
  });

  itInProofs('copies the tab as a curl command that a shell runs, without a token', async () => {
    const page = await openWorkbench(['customers:read'], {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await write(page, `{ customers(externalId: "it's $HOME") { nodes { id } } }`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied.').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).to.include('Bearer $ACCESS_TOKEN');
    // A shell takes the command apart; what curl would be given is sent from here.
    const env = { ...process.env, ACCESS_TOKEN: harness.partner.token };
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
    const [url = '', , authorization = '', , type = '', flag, body = ''] = stdout.split('\0');
    expect([type, flag]).to.deep.equal(['Content-Type: application/json', '--data-binary']);
    const headers = {
      'Content-Type': 'application/json',
      Authorization: authorization.replace('Authorization: ', ''),
    };
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(await answer.json()).to.deep.equal({ data: { customers: { nodes: [] } } });
  });

  itInProofs('closes tabs by buttons that are large enough for a finger', async () => {
    const page = await openWorkbench(['customers:read']);
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.getByRole('button', { name: 'Close Tab' }).first().waitFor();
    expect(await axeViolations(page)).to.deep.equal([]);
  });

  it('deletes queries, variables and history at sign-out', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await harness.newMember(['customers:read']));
    await write(page, '{ customers(externalId: "secret-person") { nodes { id } } }');
    await run(page);
    const kept = () => page.evaluate<string>('JSON.stringify({ ...localStorage })');
    while (!(await kept()).includes('secret-person')) await page.waitForTimeout(20);
    await write(page, '{ customers(externalId: "secret-other") { nodes { id } } }');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await kept()).not.to.match(/secret-|graphiql:/);
  });

  it('shows nothing of the person before, whose session ended without signing out', async () => {
    const page = await visitor.newPerson();
    const kept = () => page.evaluate<string>('JSON.stringify({ ...localStorage })');
    await comeToWork(page, await harness.newMember(['customers:read']));
    await write(page, '{ customers(externalId: "secret-person") { nodes { id } } }');
    await run(page);
    while (!(await kept()).includes('secret-person')) await page.waitForTimeout(20);
    await page.context().clearCookies();
    const other = await harness.newMember(['customers:read']);
    await comeToWork(page, other);
    expect(await kept()).not.to.include('secret-person');
    expect(await page.locator('#graphiql').textContent()).not.to.include('secret-person');
    await write(page, '{ customers(externalId: "own-person") { nodes { id } } }');
    while (!(await kept()).includes('own-person')) await page.waitForTimeout(20);
    await page.reload();
    const editor = page.locator('.graphiql-query-editor .CodeMirror-code');
    await editor.getByText('own-person').waitFor();
    const { rows } = await harness.sql('SELECT account_id FROM accounts WHERE email = $1', [other]);
    expect(await page.content(), 'an id of the account').not.to.include(String(rows[0]?.['account_id']));
  });

  itInProofs(
    'says in a sentence that the service cannot be reached, also for a renewal or events',
    async () => {
      const page = await openWorkbench(['customers:read', 'consent:read']);
      const told = async (): Promise<void> => {
        await page.getByRole('button', { name: /Execute query/ }).click();
        const shown = page.locator('.graphiql-response .CodeMirror-code');
        await shown.getByText('The service cannot be reached').waitFor();
        expect(await shown.innerText()).not.to.match(/stack|<|JSON|fetch/);
        expect(await page.locator('h1').innerText(), 'the page stays').to.include('GraphiQL');
        await write(page, '{ customers { nodes { id } } }');
        await page.getByRole('button', { name: /Execute query/ }).click();
        await shown.getByText('"data"').waitFor();
      };
      const html = {
        status: 502,
        contentType: 'text/html',
        body: '<!doctype html><title>Bad gateway</title>',
      };
      await page.route('**/graphiql/query?*', (route) => route.fulfill(html), { times: 1 });
      await told();
      await page.route('**/graphiql/query?*', (route) => route.abort(), { times: 1 });
      await told();
      await expireTokens();
      await page.route('**/graphiql/renew?*', (route) => route.fulfill({ status: 503 }), { times: 1 });
      await told();
      const { customerId } = harness.partner;
      await write(
        page,
        `subscription { consentChanged(customerId: "${customerId}") { purposes { purpose } } }`,
      );
      await page.route('**/graphiql/live?*', (route) => route.abort(), { times: 1 });
      await told();
    },
  );

  itInProofs('renews its token in two tabs at once', async () => {
    const page = await openWorkbench(['customers:read']);
    await expireTokens();
    const renewal = `/graphiql/renew?app_id=${harness.partner.appId}`;
    const statuses = await page.evaluate(
      async (address) => Promise.all([address, address].map(async (each) => (await fetch(each)).status)),
      renewal,
    );
    expect(statuses).to.deep.equal([204, 204]);
    await write(page, '{ customers { nodes { id } } }');
    expect(await run(page)).to.include('"data"');
  });

  itInProofs('asks again when a renewal needs more than was approved before', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await harness.newMember(['customers:read']));
    await harness.sql(`UPDATE app_members SET scopes = '{customers:read,claims:read}'`);
    await expireTokens();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByRole('heading', { name: 'Which app?' }).waitFor();
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    expect(await page.locator('.rights code').allTextContents()).to.include('claims:read');
  });

  it('offers only apps that the person is a member of', async () => {
    const page = await visitor.newPerson();
    await page.goto(`${harness.baseUrl}/graphiql`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill('stranger@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await page.locator('main').textContent()).to.include('not a member of any app');
  });

  it('reports when the person does not approve', async () => {
    const page = await visitor.newPerson();
    const email = await harness.newMember(['customers:read']);
    await page.goto(`${harness.baseUrl}/graphiql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    await page.getByRole('button', { name: 'Do not allow' }).click();
    expect(await page.locator('h1').textContent()).to.equal('Access was not allowed');
  });

  it('asks nothing of an app that another tab has opened since', async () => {
    const other = await harness.newPartner('Willow Wares');
    const page = await visitor.newPerson();
    const email = await harness.newMember(['customers:read']);
    await harness.sql(
      `INSERT INTO app_members SELECT $1, account_id, '{customers:read}', now(), now() FROM accounts
        WHERE email = $2`,
      [other.appId, email],
    );
    await comeToWork(page, email);
    const tab = await page.context().newPage();
    await tab.goto(`${harness.baseUrl}/graphiql`);
    await tab.getByRole('button', { name: 'Another app' }).click();
    await tab.getByRole('button', { name: 'Open Willow Wares' }).click();
    await tab.getByRole('button', { name: 'Allow', exact: true }).click();
    await tab.locator('.graphiql-query-editor').waitFor();
    await write(page, '{ customers { nodes { id } } }');
    expect(await run(page)).to.include('Another app is open in this browser by now.');
  });

  it('refuses requests of other sites and of people who are not signed in', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${harness.baseUrl}/graphiql/query`, {
        method: 'POST',
        headers,
        body: '{"query":"{ __typename }"}',
      });
    expect((await post({ 'Content-Type': 'application/json' })).status).to.equal(401);
    expect((await post({ 'Content-Type': 'text/plain' })).status).to.equal(403);
    const foreign = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' };
    expect((await post(foreign)).status).to.equal(403);
  });
});

function isQuery(answer: Response): boolean {
  return new URL(answer.url()).pathname === '/graphiql/query';
}

function isIntrospection(answer: Response): boolean {
  return answer.request().postData()?.includes('IntrospectionQuery') === true;
}
