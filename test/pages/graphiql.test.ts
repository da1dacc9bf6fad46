import { expect } from 'chai';
import type { Page, Response } from 'playwright-core';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesWorld, PARTNER, PASSWORD } from './support/PagesWorld.js';
import { Visitor } from './support/Visitor.js';

describeInBrowser('GraphiQL, in a browser', () => {
  let world: PagesWorld;
  let visitor: Visitor;

  before(async () => {
    world = await PagesWorld.open({ RATE_LIMITS: 'read=6000,token=6000' });
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await world?.close();
  });

  /** From the door to the open workbench. */
  async function comeToWork(page: Page, email: string): Promise<void> {
    await page.goto(`${world.baseUrl}/graphiql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
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
    const email = await world.newMember(['customers:read', 'profile:read', 'consent:read']);
    const page = await visitor.newPerson();
    await comeToWork(page, email);
    await page.getByText('3 rights').click();
    expect(await page.locator('.scopes code').allTextContents()).to.have.members([
      'customers:read',
      'profile:read',
      'consent:read',
    ]);
    const query = `{ resolvedProfile(customerId: "${world.partner.customerId}") { customerId facts { attribute } } }`;
    await write(page, query);
    expect(await run(page)).to.include(world.partner.customerId);
    await write(page, `{ app(id: "${world.partner.appId}") { name } }`);
    expect(await run(page), 'not among the rights').to.include('INSUFFICIENT_SCOPE');
  });

  it('keeps the token out of the page', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    const cookies = await page.context().cookies();
    // The page's own script writes the reader's time zone.
    const readable = cookies.filter(({ httpOnly, name }) => !httpOnly && name !== 'time_zone');
    expect(readable).to.deep.equal([]);
    const reachable = await page.evaluate(`JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])`);
    const { rows } = await world.sql('SELECT sealed FROM graphiql_sessions ORDER BY expires_at DESC LIMIT 1');
    const { accessToken } = JSON.parse(world.running.services.secrets.open(String(rows[0]?.['sealed']))) as {
      accessToken: string;
    };
    expect(accessToken).to.have.length.above(20);
    expect(reachable).not.to.include(accessToken);
    expect(await page.content()).not.to.include(accessToken);
  });

  it('offers saved operations and renews its token without a word', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    await page.getByRole('button', { name: 'Examples' }).first().click();
    await page.getByRole('button', { name: 'Find a customer with profile and consent' }).click();
    const editors = page.locator('.graphiql-query-editor .CodeMirror-code');
    await editors.getByText('FindCustomer').first().waitFor();
    await page.getByRole('button', { name: 'List the newest customers' }).click();
    await editors.getByText('NewestCustomers').first().waitFor();
    await world.sql(`DELETE FROM oauth_artifacts WHERE kind = 'AccessToken'`);
    expect(await run(page)).to.include(world.partner.customerId);
  });

  it('runs what is in the editor, however soon after it was put there', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    await page.getByRole('button', { name: 'Examples' }).first().click();
    await page.getByRole('button', { name: 'Find a customer with profile and consent' }).click();
    await understood(page, 'FindCustomer');
    const answered = page.waitForResponse(isQuery);
    // Both in one turn of the page's loop, sooner than anything of GraphiQL that waits a moment.
    await page.evaluate(`{
      const named = (text) => [...document.querySelectorAll('button')].find((button) => button.textContent === text);
      named('List the newest customers').click();
      document.querySelector('.graphiql-execute-button').click();
    }`);
    const answer = await answered;
    expect(answer.request().postDataJSON()).to.have.property('query').that.includes('NewestCustomers');
    expect(await answer.text()).to.include(world.partner.customerId);
  });

  it('opens the rights over the page, and the editor keeps its place', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read', 'profile:read', 'consent:read']));
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

  it('fills a fresh idempotency key into an example each time it is chosen', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
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

  it('shows the time and the quota of each answer', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    const answered = page.waitForResponse((answer) => isQuery(answer) && !isIntrospection(answer));
    await page.getByRole('button', { name: /Execute query/ }).click();
    const quota = (await answered).headers()['ratelimit'];
    expect(quota).to.match(/r=\d+/);
    const shown = page.locator('#answer-cost');
    await shown.getByText('Answered in').waitFor();
    expect(await shown.textContent()).to.match(/^Answered in \d+ ms · /);
    expect(await shown.textContent()).to.include(`RateLimit: ${quota}`);
  });

  it('forgets queries, variables and history on signing out', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    await write(page, '{ customers(externalId: "secret-person") { nodes { id } } }');
    await run(page);
    const kept = () => page.evaluate<string>('JSON.stringify({ ...localStorage })');
    while (!(await kept()).includes('secret-person')) await page.waitForTimeout(20);
    await write(page, '{ customers(externalId: "secret-other") { nodes { id } } }');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await kept()).not.to.match(/secret-|graphiql:/);
  });

  it('asks again where renewing takes more than was allowed before', async () => {
    const page = await visitor.newPerson();
    await comeToWork(page, await world.newMember(['customers:read']));
    await world.sql(`UPDATE app_members SET scopes = '{customers:read,claims:read}'`);
    await world.sql(`DELETE FROM oauth_artifacts WHERE kind = 'AccessToken'`);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByRole('heading', { name: 'Which app?' }).waitFor();
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    expect(await page.locator('.rights code').allTextContents()).to.include('claims:read');
  });

  it('offers only apps that the person is a member of', async () => {
    const page = await visitor.newPerson();
    await page.goto(`${world.baseUrl}/graphiql`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill('stranger@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await page.locator('main').textContent()).to.include('not a member of any app');
  });

  it('says so when the person does not allow it', async () => {
    const page = await visitor.newPerson();
    const email = await world.newMember(['customers:read']);
    await page.goto(`${world.baseUrl}/graphiql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: `Open ${PARTNER}` }).click();
    await page.getByRole('button', { name: 'Do not allow' }).click();
    expect(await page.locator('h1').textContent()).to.equal('Access was not allowed');
  });

  it('answers no other site and nobody who is not signed in', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${world.baseUrl}/graphiql/query`, { method: 'POST', headers, body: '{"query":"{ __typename }"}' });
    expect((await post({ 'Content-Type': 'application/json' })).status).to.equal(401);
    expect((await post({ 'Content-Type': 'text/plain' })).status).to.equal(403);
    const foreign = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' };
    expect((await post(foreign)).status).to.equal(403);
  });
});

function isQuery(answer: Response): boolean {
  return answer.url().endsWith('/graphiql/query');
}

function isIntrospection(answer: Response): boolean {
  return answer.request().postData()?.includes('IntrospectionQuery') === true;
}
