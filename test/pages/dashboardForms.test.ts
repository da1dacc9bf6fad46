import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PURPOSES } from '../../src/domain/purposes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { axeViolations } from './support/axe.js';
import { DashboardMembers } from './support/DashboardMembers.js';
import type { DashboardData } from './support/dashboardData.js';
import { fillDashboard } from './support/dashboardData.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { openDashboard, settled } from './support/openDashboard.js';
import { ADMIN_KEY, PagesHarness, PARTNER } from './support/PagesHarness.js';
import { WORDS } from './support/tour.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('forms and lists of the dashboard, in a browser', () => {
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

  const arrive = (path: string): Promise<Page> =>
    members.arrive(path, ALL_SCOPES, { viewport: { width: 1100, height: 800 } });

  /** What a field says about itself below its text, to screen readers too. */
  async function faultsOf(page: Page, label: string): Promise<string[]> {
    const field = page.locator('.field', { has: page.getByLabel(label, { exact: true }) });
    await field.locator('.field-error').waitFor();
    const described = String(await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby'));
    expect(described.split(' ')).to.include(await field.locator('.field-error').getAttribute('id'));
    return field.locator('.field-error > span').allTextContents();
  }

  /** React shows what came of an event within two frames. */
  const drawn = (page: Page) =>
    page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);

  /** The page reads again, as when the network comes back, and no answer comes. */
  async function failToReadAgain(page: Page): Promise<void> {
    await page.route('**/dashboard/query?*', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await failed;
    await drawn(page);
    await settled(page);
    await page.unroute('**/dashboard/query?*');
  }

  it('show what is wrong beside each field until the field is changed', async () => {
    const page = await arrive('/app');
    await page.getByLabel('Redirect addresses').fill('https://acme.example/app\nhttp://acme.example/b\nno');
    await page.getByLabel('Name', { exact: true }).fill('   ');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await faultsOf(page, 'Redirect addresses')).to.deep.equal([
      'Line 2: must use https unless it is on loopback',
      'Line 3: must be an absolute URI',
    ]);
    expect(await faultsOf(page, 'Name')).to.have.length(1);
    expect(await page.getByRole('alert').innerText()).not.to.include('redirectUris');
    await page.getByLabel('Name', { exact: true }).press('End');
    await page.keyboard.type('Acme Outfitters');
    expect(await page.locator('.field-error').count(), 'the other field').to.equal(1);
  });

  itInProofs('speak German beside the fields too', async () => {
    const page = await visitor.newPerson({ locale: 'de-DE' });
    await openDashboard(harness, page, await harness.newMember([...ALL_SCOPES]), '/app', WORDS.de);
    await page.getByLabel('Rücksprungadressen').fill('https://acme.example/app\nno');
    await page.getByRole('button', { name: 'Änderungen speichern' }).click();
    const faults = await faultsOf(page, 'Rücksprungadressen');
    expect(faults).to.have.length(1);
    expect(faults[0]).to.match(/^Zeile 2: Das muss eine vollständige Adresse sein/);
  });

  itInProofs('send a corrected form with one press of its button', async () => {
    const page = await arrive('/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Customer id').fill('nobody');
    await page.getByRole('button', { name: 'Create the link' }).click();
    expect(await faultsOf(page, 'Customer id')).to.deep.equal(['is not a customer of this app']);
    await page.getByLabel('Customer id').press('ControlOrMeta+a');
    await page.keyboard.type(data.mira.customerId);
    const button = await page.getByRole('button', { name: 'Create the link' }).boundingBox();
    if (button === null) throw new Error('There is no button.');
    await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
    await page.waitForURL(/\/sessions\/cs_/);
  });

  it('ask only for purposes that the app may ask for', async () => {
    const allow = (purposes: readonly string[]) =>
      harness.attempt(
        'PATCH',
        `/v1/apps/${harness.partner.appId}`,
        { allowed_consent_purposes: purposes },
        { 'x-service-admin-key': ADMIN_KEY },
      );
    expect((await allow(['analytics', 'support'])).status).to.equal(200);
    const page = await arrive(`/customers/${data.mira.customerId}/sessions`);
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Create the link' });
    await dialog.getByText('Account linking').waitFor({ state: 'detached' });
    expect(await button.isDisabled(), 'nothing that is offered is chosen').to.equal(true);
    await dialog.getByText('Analytics', { exact: true }).click();
    await button.click();
    await page.waitForURL(/\/sessions\/cs_/);
    expect((await allow(PURPOSES)).status).to.equal(200);
  });

  it('show what the browser finds wrong before anything is sent', async () => {
    const page = await arrive('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill('not an address');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    expect(await faultsOf(page, 'URL')).to.deep.equal(['Please enter a URL.']);
  });

  it('keep a secret and what was typed when the page cannot be read again', async () => {
    const page = await arrive('/app/credentials');
    await page.getByRole('button', { name: 'Rotate secret…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret', exact: true }).click();
    const secret = page.getByRole('dialog').locator('.copyable code');
    const shown = await secret.innerText();
    await failToReadAgain(page);
    expect(await secret.innerText()).to.equal(shown);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Acme Outfitters');
    await failToReadAgain(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Acme Outfitters');
  });

  it('keep an action whose answer was lost, and its key, when the page cannot be read again', async () => {
    const { body } = await harness.attempt('POST', '/v1/customers', { external_id: `twice-${Date.now()}` });
    const customerId = (body['customer'] as { id: string }).id;
    const page = await arrive(`/customers/${customerId}/sessions`);
    await page.getByRole('button', { name: 'New session' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Create the link' });
    await page.route('**/dashboard/query?*', async (route) => {
      if (route.request().postData()?.includes('mutation StartSession') !== true) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await button.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.unroute('**/dashboard/query?*');
    await failToReadAgain(page);
    // The page now lists the session that was made.
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.locator('#main .data .row-link').waitFor();
    await button.press('Enter');
    await page.waitForURL(/\/sessions\/cs_/);
    const made = await harness.attempt('GET', `/v1/connection-sessions?customer_id=${customerId}`);
    expect(made.body['data']).to.have.length(1);
  });

  it('keep what was typed in a dialog when the page cannot be read again', async () => {
    const page = await arrive(`/customers/${data.mira.customerId}/consent`);
    await page.getByRole('button', { name: 'Withdraw…' }).first().click();
    await page.getByLabel('Note').fill('Asked at the desk');
    await failToReadAgain(page);
    expect(await page.getByLabel('Note').inputValue()).to.equal('Asked at the desk');
    await page.goto(`${harness.baseUrl}/dashboard/webhooks/${data.endpointId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('URL').fill('https://example.com/hooks');
    await failToReadAgain(page);
    expect(await page.getByLabel('URL').inputValue()).to.equal('https://example.com/hooks');
  });

  it("keep what others changed of an endpoint's fields that were not edited", async () => {
    const { body } = await harness.attempt('POST', '/v1/webhook-endpoints', {
      url: data.receiver.url('/one'),
      enabled_events: ['*'],
    });
    const path = `/v1/webhook-endpoints/${(body['endpoint'] as { id: string }).id}`;
    const page = await arrive(path.replace('/v1/webhook-endpoints', '/webhooks'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await harness.attempt('PATCH', path, { enabled_events: ['consent.revoked'] });
    await page.getByLabel('URL').fill(data.receiver.url('/two'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: saved } = await harness.attempt('GET', path);
    expect([saved['url'], saved['enabled_events']]).to.deep.equal([
      data.receiver.url('/two'),
      ['consent.revoked'],
    ]);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it("keep what was typed of the app's settings when others change it, and take theirs over", async () => {
    const path = `/v1/apps/${harness.partner.appId}`;
    const change = (input: Record<string, unknown>) =>
      harness.attempt('PATCH', path, input, { 'x-service-admin-key': ADMIN_KEY });
    const page = await arrive('/app');
    const addresses = page.getByLabel('Redirect addresses');
    const save = page.getByRole('button', { name: 'Save changes' });
    const before = await addresses.inputValue();
    await addresses.fill(`${before}\nhttps://acme.example/typed\n`);
    await change({ name: `${PARTNER} North` });
    // As when the person comes back from another tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const name = page.getByLabel('Name', { exact: true });
    while ((await name.inputValue()) !== `${PARTNER} North`) await page.waitForTimeout(20);
    expect(await addresses.inputValue()).to.equal(`${before}\nhttps://acme.example/typed\n`);
    await save.click();
    await page.getByText('The settings were changed.').waitFor();
    expect(await addresses.inputValue(), 'as it was stored').to.equal(
      `${before}\nhttps://acme.example/typed`,
    );
    expect(await save.isDisabled()).to.equal(true);
    const { body } = await harness.attempt('GET', path);
    expect([body['name'], body['redirect_uris']]).to.deep.equal([
      `${PARTNER} North`,
      [...before.split('\n'), 'https://acme.example/typed'],
    ]);
    await change({ name: PARTNER, redirect_uris: before.split('\n') });
  });

  itInProofs('take over what others added to or removed from a list that was edited', async () => {
    const path = `/v1/apps/${harness.partner.appId}`;
    const change = (input: Record<string, unknown>) =>
      harness.attempt('PATCH', path, input, { 'x-service-admin-key': ADMIN_KEY });
    const { body: before } = await harness.attempt('GET', path);
    const addresses = before['redirect_uris'] as string[];
    const scopes = before['allowed_scopes'] as string[];
    await change({ redirect_uris: [...addresses, 'https://acme.example/leaked'] });
    const page = await arrive('/app');
    const field = page.getByLabel('Redirect addresses');
    await field.fill(`https://acme.example/mine\n${await field.inputValue()}\n`);
    await page.getByText('events:write', { exact: true }).click();
    await change({
      redirect_uris: [...addresses, 'https://acme.example/theirs'],
      allowed_scopes: scopes.filter((scope) => scope !== 'customers:write'),
      granted_scopes: before['granted_scopes'],
    });
    // As when the person comes back from another tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const theirs = page.getByRole('checkbox', { name: 'customers:write', exact: true, checked: false });
    await theirs.waitFor({ state: 'attached', timeout: 20_000 });
    const merged = ['https://acme.example/mine', ...addresses, 'https://acme.example/theirs'];
    expect((await field.inputValue()).split('\n').filter(Boolean)).to.deep.equal(merged);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings were changed.').waitFor();
    const { body: saved } = await harness.attempt('GET', path);
    expect(saved['redirect_uris']).to.deep.equal(merged);
    expect(saved['allowed_scopes']).to.have.members(
      scopes.filter((scope) => scope !== 'customers:write' && scope !== 'events:write'),
    );
    await change({ redirect_uris: addresses, allowed_scopes: scopes });
  });

  itInProofs('take over what others changed of the events of an endpoint', async () => {
    const [one, two, three, mine] = [
      'consent.granted',
      'consent.revoked',
      'connection_session.authorized',
      'connection_session.completed',
    ];
    const { body } = await harness.attempt('POST', '/v1/webhook-endpoints', {
      url: data.receiver.url('/events'),
      enabled_events: [one, two, three],
    });
    const path = `/v1/webhook-endpoints/${(body['endpoint'] as { id: string }).id}`;
    const page = await arrive(path.replace('/v1/webhook-endpoints', '/webhooks'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByText(mine, { exact: true }).click();
    await harness.attempt('PATCH', path, { enabled_events: [one, two] });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const theirs = page.getByRole('checkbox', { name: three, exact: true, checked: false });
    await theirs.waitFor({ state: 'attached', timeout: 20_000 });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: saved } = await harness.attempt('GET', path);
    expect(saved['enabled_events']).to.have.members([one, two, mine]);
  });

  it('save onto what others have saved since the page was read, list by list', async () => {
    const path = `/v1/apps/${harness.partner.appId}`;
    const admin = { 'x-service-admin-key': ADMIN_KEY };
    const { body: before } = await harness.attempt('GET', path, undefined, admin);
    const addresses = before['redirect_uris'] as string[];
    const scopes = before['allowed_scopes'] as string[];
    const page = await arrive('/app');
    await page.getByLabel('Redirect addresses').fill([...addresses, 'https://acme.example/mine'].join('\n'));
    await page.getByText('tokens:revoke', { exact: true }).click();
    const theirs = {
      redirect_uris: addresses.slice(1),
      allowed_scopes: scopes.filter((scope) => scope !== 'tokens:introspect'),
      granted_scopes: before['granted_scopes'],
    };
    expect((await harness.attempt('PATCH', path, theirs, admin)).status).to.equal(200);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings were changed.').waitFor();
    const { body: saved } = await harness.attempt('GET', path, undefined, admin);
    expect(saved['redirect_uris']).to.deep.equal([...addresses.slice(1), 'https://acme.example/mine']);
    expect(saved['allowed_scopes']).to.have.members(scopes.filter((scope) => !scope.startsWith('tokens:')));
    await harness.attempt('PATCH', path, { redirect_uris: addresses, allowed_scopes: scopes }, admin);

    const [one, two, mine] = ['consent.granted', 'consent.revoked', 'connection_session.completed'];
    const { body } = await harness.attempt('POST', '/v1/webhook-endpoints', {
      url: data.receiver.url('/several'),
      enabled_events: [one, two],
    });
    const endpoint = `/v1/webhook-endpoints/${(body['endpoint'] as { id: string }).id}`;
    await page.goto(`${harness.baseUrl}${endpoint.replace('/v1/webhook-endpoints', '/dashboard/webhooks')}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByText(mine, { exact: true }).click();
    await harness.attempt('PATCH', endpoint, { enabled_events: [one] });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: receiver } = await harness.attempt('GET', endpoint);
    expect(receiver['enabled_events']).to.have.members([one, mine]);
  });

  itInProofs('show the new name of an app everywhere once it is saved', async () => {
    const page = await arrive('/app');
    await page.getByLabel('Name', { exact: true }).fill(`${PARTNER} South`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('.app-name').getByText(`${PARTNER} South`).waitFor();
    expect(await page.title()).to.equal(`App · ${PARTNER} South`);
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await page.title()).to.equal(`Customers · ${PARTNER} South`);
    await harness.attempt(
      'PATCH',
      `/v1/apps/${harness.partner.appId}`,
      { name: PARTNER },
      { 'x-service-admin-key': ADMIN_KEY },
    );
  });

  itInProofs(
    'show a name that is older than the rule in one line, also after a look at the settings',
    async () => {
      const rename = (name: string) =>
        harness.sql('UPDATE apps SET name = $1 WHERE app_id = $2', [name, harness.partner.appId]);
      const page = await arrive('/app');
      await rename('Acme\nsecond \u202Eline');
      await page.reload();
      const name = page.getByLabel('Name', { exact: true });
      await name.waitFor();
      expect(await name.inputValue(), 'as it is stored').to.include('\u202E');
      await page.getByRole('link', { name: 'Customers' }).click();
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
      expect(await page.title()).to.equal('Customers · Acme second line');
      expect(await page.locator('.app-name').textContent()).to.equal('Acme second line');
      await rename(PARTNER);
    },
  );

  /** A page in German, of which answers are changed on their way. */
  async function arriveInGerman(
    path: string,
    width: number,
    change: (text: string) => string,
  ): Promise<Page> {
    const page = await visitor.newPerson({ locale: 'de-DE', viewport: { width, height: 800 } });
    await changeAnswers(page, change);
    await openDashboard(harness, page, await harness.newMember([...ALL_SCOPES]), path, WORDS.de);
    return page;
  }

  async function changeAnswers(page: Page, change: (text: string) => string): Promise<void> {
    await page.route('**/dashboard/query?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    });
  }

  /** The page at a path whose answers are changed on their way. */
  async function arriveChanging(path: string, change: (text: string) => string): Promise<Page> {
    const page = await arrive('/nowhere');
    await changeAnswers(page, change);
    await page.goto(`${harness.baseUrl}/dashboard${path}`);
    await settled(page);
    return page;
  }

  itInProofs('show ids and durations of requests beside each other', async () => {
    const slow = (text: string): string =>
      text
        .replaceAll(/"durationMs":\d+/g, '"durationMs":108')
        // A partner may name its requests itself.
        .replace(/"requestId":"[^"]+"/, `"requestId":"${'x'.repeat(128)}"`);
    const page = await arriveInGerman('/app/requests', 1024, slow);
    await page.locator('.data tbody tr').first().waitFor();
    for (const width of [800, 1024, 1100, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // How far the text of each cell reaches into the next one's.
      const overlaps = await page.evaluate<number>(`Math.max(
        ...[...document.querySelectorAll('.data tbody tr')].flatMap((row) => {
          const texts = [...row.children].map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect();
          }).filter(({ width }) => width > 0);
          return texts.slice(1).map(({ left }, at) => texts[at].right - left);
        }))`);
      expect(overlaps, `at ${width}`).to.be.below(0);
    }
  });

  itInProofs('show the first numbers in German as one writes it, within the window', async () => {
    const slow = (text: string): string =>
      text
        .replaceAll(/"(p50Ms|p99Ms)":(\d+|null)/g, (_all, name) => `"${name}":290`)
        .replaceAll(/"pending":\d+/g, '"pending":1');
    const page = await arriveInGerman('', 800, slow);
    await page.getByText(/^\d+ ohne Einwilligung$/).waitFor();
    await page.getByText('1 wartet.').waitFor();
    for (const width of [360, 640, 800, 960, 1100]) {
      await page.setViewportSize({ width, height: 800 });
      // The charts take their width a moment later; the policy forbids the polls of waitForFunction.
      while ((await page.evaluate(`document.documentElement.scrollWidth`)) !== width)
        await page.waitForTimeout(20);
    }
  });

  itInProofs(
    'speak German of members, of notes, and of more than one purpose that was withdrawn',
    async () => {
      const page = await arriveInGerman('/app/members', 1100, (text) => text);
      await page.getByRole('columnheader', { name: 'E-Mail', exact: true }).waitFor();
      await page.goto(`${harness.baseUrl}/dashboard/customers/${data.mira.customerId}/consent`);
      await page.getByText('Notiz: „Asked by phone“').waitFor();
      const made = async (path: string, body: object) => (await harness.attempt('POST', path, body)).body;
      const { customer } = await made('/v1/customers', { external_id: 'undecided' });
      const customerId = (customer as { id: string }).id;
      const purposes = ['analytics', 'support'];
      const receipt = await made('/v1/consent-receipts', { customer_id: customerId, purposes });
      await page.goto(`${harness.baseUrl}/dashboard/customers/${customerId}/consent`);
      await page.locator('.live').getByText('Live').waitFor();
      await page.locator('.timeline li').waitFor();
      await made(`/v1/consent-receipts/${String(receipt['id'])}/revoke`, {});
      await page.getByText('Analyse, Kundendienst wurden widerrufen').waitFor();
    },
  );

  itInProofs('say that what was typed has to be typed again after signing in', async () => {
    const page = await members.arriveAnew('/app', ALL_SCOPES);
    await page.getByLabel('Redirect addresses').fill('https://acme.example/new');
    const other = await page.context().newPage();
    await other.goto(`${harness.baseUrl}/connections`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    const told = page.getByRole('alertdialog', { name: 'Please sign in again' });
    expect(await told.innerText()).to.include('what you had not saved has to be entered again');
  });

  itInProofs('fit a narrow phone, and show the part that is open', async () => {
    const page = await members.arrive(`/customers/${data.mira.customerId}/events`, ALL_SCOPES, {
      viewport: { width: 320, height: 568 },
    });
    const sidewaysOf = (selector: string): Promise<number> =>
      page.locator(selector).evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    expect(await sidewaysOf('.table-frame'), 'events').to.equal(0);
    const isShown = (title: string) => page.locator(`td[data-title="${title}"]`).first().isVisible();
    expect([await isShown('Purpose'), await isShown('Occurred')], 'of an event').to.deep.equal([true, true]);
    const isInSight = `(() => {
      const tab = document.querySelector('.tabs a[aria-current]').getBoundingClientRect();
      return tab.left >= 0 && tab.right <= innerWidth;
    })()`;
    expect(await page.evaluate(isInSight), 'the tab of the events').to.equal(true);
    await page.goto(`${harness.baseUrl}/dashboard/customers/${data.mira.customerId}/intents`);
    await settled(page);
    expect(await sidewaysOf('.table-frame'), 'intents').to.equal(0);
    expect([await isShown('Purpose'), await isShown('Based on')], 'of an intent').to.deep.equal([true, true]);
    await page.goto(`${harness.baseUrl}/dashboard/app/requests`);
    await settled(page);
    expect(await sidewaysOf('.table-frame'), 'requests').to.equal(0);
    expect([await isShown('Request id'), await isShown('Took')], 'of a request').to.deep.equal([true, true]);
    await changeAnswers(page, (text) =>
      text.replaceAll(/"termsVersion":"[^"]*"/g, `"termsVersion":"https://acme.example/${'t'.repeat(60)}"`),
    );
    await page.goto(`${harness.baseUrl}/dashboard/customers/${data.mira.customerId}/consent`);
    await settled(page);
    const title = page.locator('.timeline .title').first();
    const time = await title.locator('time').boundingBox();
    expect(time?.x, 'the time is below what was decided').to.equal((await title.boundingBox())?.x);
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'terms without a space').to.equal(
      320,
    );
    await page.unroute('**/dashboard/query?*');
    await page.goto(`${harness.baseUrl}/dashboard/app/members`);
    await settled(page);
    // A word that is broken takes more than one box.
    const broken = await page.evaluate(`[...document.querySelectorAll('.badge')]
      .flatMap((badge) => [...badge.childNodes])
      .filter((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getClientRects().length > 1;
      })
      .map(({ textContent }) => textContent)`);
    expect(broken).to.deep.equal([]);
  });

  itInProofs('keep the focus when its button goes', async () => {
    const page = await arrive(`/customers/${data.mira.customerId}/consent`);
    const inPage = page.locator('#main:focus, #main :focus');
    const confirm = async (): Promise<void> => {
      await page.getByRole('dialog').locator('footer button').last().press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const withdraw = page.getByRole('button', { name: 'Withdraw…' });
    await withdraw.press('Enter');
    await confirm();
    await withdraw.waitFor({ state: 'detached' });
    await inPage.waitFor();
    await page.goto(`${harness.baseUrl}/dashboard/webhooks/${data.endpointId}`);
    await page.getByRole('button', { name: 'Disable…' }).press('Enter');
    await confirm();
    const enable = page.getByRole('button', { name: 'Enable', exact: true });
    await enable.waitFor();
    await inPage.waitFor();
    await enable.press('Enter');
    await enable.waitFor({ state: 'detached' });
    await inPage.waitFor();
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await page.waitForURL(/after=/);
    await page.getByRole('button', { name: 'Previous' }).press('Enter');
    await page.waitForURL((url) => url.search === '');
    await inPage.waitFor();
  });

  itInProofs('tell the chosen part and choice where the browser sets the colours', async () => {
    const page = await arrive(`/customers/${data.mira.customerId}`);
    await page.emulateMedia({ forcedColors: 'active' });
    const backgrounds = (selector: string): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).backgroundColor)`,
      );
    for (const chosen of ['.side nav a[aria-current]', '.tabs a[aria-current]']) {
      const others = await backgrounds(chosen.replace('[aria-current]', ':not([aria-current])'));
      expect(others, chosen).not.to.include((await backgrounds(chosen))[0]);
    }
    await page.getByRole('button', { name: /^Account and appearance/ }).click();
    await page.locator('.segments button[data-selected]').first().waitFor();
    expect(await backgrounds('.segments button:not([data-selected])')).not.to.include(
      (await backgrounds('.segments button[data-selected]'))[0],
    );
  });

  it('show why the state refuses an action, and keep a secret that is shown once', async () => {
    const page = await arrive('/app/credentials');
    const alert = page.getByRole('dialog').getByRole('alert');
    const shown = page.getByText('Shown once. Copy it now');
    for (let rotation = 0; rotation < 12; rotation += 1) {
      await page.getByRole('button', { name: 'Rotate secret…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret', exact: true }).click();
      await alert.or(shown).waitFor();
      if (await alert.isVisible()) break;
      // A click beside the dialog.
      await page.mouse.click(5, 5);
      await page.keyboard.press('Escape');
      await drawn(page);
      expect(await shown.count(), 'after a click beside it and Escape').to.equal(1);
      await page.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
    }
    expect(await alert.innerText()).to.include('10 former secrets are good.');
  });

  itInProofs('tell screen readers which page of a list is shown', async () => {
    const page = await arrive('/customers');
    const told = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await told(/25 items on page 1/);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/dashboard/query?*', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Next' }).dblclick();
    release();
    await told(/items? on page 2/);
    const link = page.url();
    await page.getByRole('button', { name: 'Previous' }).click();
    await told(/25 items on page 1/);
    await page.goto('about:blank');
    await page.goto(link);
    // A link does not tell which page it is.
    await told(/items? on this page/);
    await page.getByRole('button', { name: 'Previous' }).click();
    await told(/25 items on page 1/);
  });

  itInProofs('lead to the first page from an address whose cursor no list gave out', async () => {
    for (const path of ['/customers?prefix=member', `/webhooks/${data.endpointId}?`]) {
      const page = await arrive(`${path}&after=garbage`);
      await page.getByText('The list has no such page').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
      await page.getByRole('button', { name: 'To the first page' }).click();
      await page.getByRole('button', { name: 'Next' }).waitFor();
      expect(new URL(page.url()).search).to.equal(new URL(path, harness.baseUrl).search);
    }
  });

  itInProofs(
    'go back to the page before after a look at a row, and to the first page from a link',
    async () => {
      const page = await arrive(`/webhooks/${data.endpointId}`);
      const first = await page.locator('.data .row-link').first().innerText();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL(/after=/);
      const link = page.url();
      await page.locator('.data .row-link').first().click();
      await page.waitForURL(/delivery=/);
      await page.keyboard.press('Escape');
      await page.waitForURL(link);
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.waitForURL((url) => !url.searchParams.has('after') && !url.searchParams.has('delivery'));
      await page.locator('.data .row-link').first().filter({ hasText: first }).waitFor();
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.waitForURL((url) => url.pathname.endsWith(data.endpointId) && url.search === '');
    },
  );

  itInProofs(
    'keep the purpose, and not the page of a list, when another part of a customer opens',
    async () => {
      const page = await arrive(`/customers/${data.mira.customerId}/claims`);
      await page.getByRole('button', { name: /Purpose/ }).click();
      await page.getByRole('option', { name: /^Analytics/ }).click();
      await page.waitForURL(/purpose=ANALYTICS/);
      const tab = (name: string) => page.locator('.tabs').getByRole('link', { name });
      await tab('Intents').click();
      await page.waitForURL(/intents\?purpose=ANALYTICS$/);
      await page.goto(`${page.url()}&after=garbage`);
      await page.getByText('The list has no such page').waitFor();
      await tab('Events').click();
      await page.waitForURL(/events\?purpose=ANALYTICS$/);
      await page.locator('.data tbody tr').first().waitFor();
    },
  );

  itInProofs('say that nothing fits a filter, not that there is nothing', async () => {
    const { body } = await harness.attempt('POST', '/v1/webhook-endpoints', {
      url: data.receiver.url('/quiet'),
      enabled_events: ['consent.granted'],
    });
    const page = await arrive(`/webhooks/${(body['endpoint'] as { id: string }).id}?status=DROPPED`);
    const told = page.locator('.empty-state .title');
    expect(await told.innerText()).to.equal('No message fits these filters');
    await page.goto(`${harness.baseUrl}/dashboard/app/requests?request_id=nothing`);
    await settled(page);
    expect(await told.innerText()).to.equal('No request fits these filters');
    expect(await page.locator('.empty-state').innerText()).not.to.include('Requests appear here');
  });

  itInProofs('tell times and days in the zone that the person chose', async () => {
    const { body } = await harness.attempt('POST', '/v1/customers', { external_id: 'eastern' });
    const { id } = body['customer'] as { id: string };
    await harness.sql(`UPDATE customers SET created_at = '2026-03-01T10:30:00Z' WHERE customer_id = $1`, [
      id,
    ]);
    const email = await harness.newMember([...ALL_SCOPES]);
    await harness.sql(`UPDATE accounts SET time_zone = 'Pacific/Kiritimati' WHERE email = $1`, [email]);
    const page = await visitor.newPerson({
      timezoneId: 'America/New_York',
      viewport: { width: 1300, height: 800 },
    });
    await openDashboard(harness, page, email, '/customers?from=2026-03-02&until=2026-03-02');
    const row = page.locator('.data tbody tr');
    expect(await row.locator('time').innerText()).to.match(/^Mar 2, (2026, )?00:30$/);
    expect(await row.count()).to.equal(1);
  });

  itInProofs('tell the year of a decision of another year, to the second too', async () => {
    const page = await arriveChanging(`/customers/${data.mira.customerId}/consent`, (text) =>
      text.replaceAll(/"decidedAt":"\d{4}/g, '"decidedAt":"2024'),
    );
    expect(await page.locator('.timeline time').first().innerText()).to.match(
      /^\w{3} \d+, 2024, \d\d:\d\d:\d\d$/,
    );
  });

  itInProofs('tell how long work took in days and hours where it did', async () => {
    const times = '"createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-23T12:15:30.000Z"';
    const page = await arriveChanging('/workflows?status=COMPLETED', (text) =>
      text.replaceAll(/"createdAt":"[^"]*","updatedAt":"[^"]*"/g, times),
    );
    const took = page.locator('.data tbody tr td:last-child').first();
    expect(await took.innerText()).to.equal('3\u00a0d 2\u00a0h');
  });

  itInProofs('name the days of charts, which are those of UTC, alike in every zone', async () => {
    const page = await members.arrive('?window=DAYS_30', ALL_SCOPES, { timezoneId: 'America/New_York' });
    const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    const legend = await page.locator('.legend').first().innerText();
    // The day may have begun since the page was read.
    const days = [new Date(), new Date(Date.now() - 60_000)].map((at) => `${day.format(at)} UTC`);
    expect(
      days.some((name) => legend.includes(name)),
      legend,
    ).to.equal(true);
  });

  itInProofs('say that endpoints are disabled, not that all of them answer', async () => {
    const page = await arriveChanging('', (text) =>
      text
        .replaceAll(/"failingEndpoints":\d+/g, '"failingEndpoints":0')
        .replaceAll(/"disabledEndpoints":\d+/g, '"disabledEndpoints":2'),
    );
    expect(await page.locator('.tiles').innerText()).to.include('2 endpoints are disabled');
  });

  itInProofs('count back from the moment of asking what to send again', async () => {
    const page = await arrive(`/webhooks/${data.endpointId}`);
    const later = await page.evaluate<number>(`{
      const now = Date.now;
      Date.now = () => now() + 8 * 3_600_000;
      Date.now();
    }`);
    await page.getByRole('button', { name: 'Resend failed…' }).click();
    const asked = page.waitForRequest((request) => request.postData()?.includes('mutation Recover') === true);
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    const { variables } = (await asked).postDataJSON() as { variables: { input: { since: string } } };
    expect(Date.parse(variables.input.since)).to.be.at.least(later - 24 * 3_600_000);
  });

  itInProofs('count in whole numbers in the chart of consent of a new app', async () => {
    const page = await arriveChanging('', (text) => text.replaceAll(/"count":\d+/g, '"count":1'));
    const chart = page.locator('.chart', { hasText: 'Analytics' }).first();
    await chart.locator('.visx-axis-left .tick').first().waitFor();
    const ticks = await chart.locator('.visx-axis-left .tick').allTextContents();
    expect(ticks).to.deep.equal(['0', '1']);
  });

  itInProofs('show customers whose names are invisible, long, or written from right to left', async () => {
    const names = ['\u200b \u2003', 'W'.repeat(255), 'عميل-١٢', 'txt.\u202egnp'];
    for (const name of names) {
      const { body } = await harness.attempt('POST', '/v1/customers', {
        external_id: name,
        profile: { username: name.slice(0, 60) },
      });
      expect(body['status']).to.equal('created');
    }
    const page = await arrive('/customers');
    await page.locator('.data .row-link').nth(3).waitFor();
    const links = await page.locator('.data .row-link bdi:first-child').allInnerTexts();
    expect(links.slice(0, 3)).to.deep.equal(names.slice(1).reverse());
    expect(links[3]).to.match(/^cus_/);
    const widths = await page.evaluate(
      `[...document.querySelectorAll('.table-frame, .table-frame table')].map((element) => element.scrollWidth)`,
    );
    expect(new Set(widths as number[]).size, 'one long name moves no column out of sight').to.equal(1);
    expect(await axeViolations(page)).to.deep.equal([]);
    await page.locator('.data .row-link').nth(3).click();
    await settled(page);
    expect(await page.locator('h1').innerText()).to.match(/^cus_/);
  });
});
