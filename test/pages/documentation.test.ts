import { expect } from 'chai';
import { describeInBrowser } from './support/describeInBrowser.js';
import { itInProofs } from '../support/itInProofs.js';
import { PagesHarness } from './support/PagesHarness.js';
import { Visitor } from './support/Visitor.js';

/** Pages with wide tables, long lines of code, and the first one. */
const PATHS = ['', 'operations', 'subscriptions', 'proofs', 'reference/access', 'reference/graphql-enums'];

/** What is looked for, and the sections that are to be among the first five results. */
const SEARCHES: Record<string, readonly string[]> = {
  client_token: ['contract#connection-sessions', 'reference/rest-operations#begin-a-connection-session'],
  client_type: ['contract#request-fields'],
  expires_in: ['contract#request-fields'],
  status_url: ['contract#success-codes'],
  clientToken: ['contract#connection-sessions'],
  unknown_reference: ['errors#unknown-reference'],
  'right to be forgotten': ['contract#customers'],
  GDPR: ['contract#customers'],
  'erase a customer': [
    'contract#customers',
    'reference/rest-operations#erase-a-customer-and-all-that-hangs-on-it',
  ],
  'verify webhook signature': ['recipes/verify-a-webhook#verify-a-webhook'],
};

const LINKS = `[...document.querySelectorAll('main a[href*="#"]')]
  .filter(({ pathname, hash }) => pathname === location.pathname && hash.length > 1)
  .map(({ hash }) => decodeURIComponent(hash.slice(1)))
  .filter((id) => document.getElementById(id) === null)`;

describeInBrowser('the documentation, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
  });

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  itInProofs('fits windows of 1200 to 320 and its own policy, and has no broken anchors', async () => {
    const page = await visitor.newPerson();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    for (const path of PATHS) {
      await page.goto(`${harness.baseUrl}/docs/${path}`);
      await page.waitForLoadState('networkidle');
      expect([path, await page.evaluate(LINKS)]).to.deep.equal([path, []]);
      for (const width of [1200, 960, 900, 768, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([path, width, beyond]).to.deep.equal([path, width, 0]);
      }
    }
    expect(refused).to.deep.equal([]);
  });

  it('finds names of fields whole, operations of REST, and what is asked in other words', async () => {
    const page = await visitor.newPerson();
    await page.goto(`${harness.baseUrl}/docs/`);
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Control+k');
    for (const [words, sections] of Object.entries(SEARCHES)) {
      await page.getByRole('searchbox').fill(words);
      for (const section of sections) {
        const found = page.locator(`#localsearch-list > li:nth-child(-n + 5) a[href="/docs/${section}"]`);
        await found.waitFor({ timeout: 5000 }).catch(() => expect.fail(`${words} does not find ${section}`));
      }
    }
  });

  itInProofs('has its menu behind a button in a window of 800', async () => {
    const page = await visitor.newPerson({ viewport: { width: 800, height: 800 } });
    await page.goto(`${harness.baseUrl}/docs/`);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    expect(await page.getByRole('switch').locator('visible=true').count(), 'light or dark').to.equal(1);
    await page.getByRole('link', { name: 'Errors', exact: true }).locator('visible=true').click();
    await page.waitForURL('**/docs/errors');
  });

  it('opens a group of its sidebar by the keyboard, and tells whether it is open', async () => {
    const page = await visitor.newPerson({ viewport: { width: 1200, height: 800 } });
    await page.goto(`${harness.baseUrl}/docs/contract`);
    await page.waitForLoadState('networkidle');
    const group = page.getByRole('button', { name: 'Operate' });
    const first = page.getByRole('link', { name: 'Running the service', exact: true });
    for (const isOpen of [false, true, false]) {
      expect(await group.getAttribute('aria-expanded')).to.equal(String(isOpen));
      expect(await first.isVisible()).to.equal(isOpen);
      await group.press('Enter');
    }
    expect(await page.getByRole('button', { name: 'Start', exact: true }).count(), 'always open').to.equal(0);
  });

  itInProofs('scrolls the navigation of the REST reference, with every style that it adds', async () => {
    const page = await visitor.newPerson({ viewport: { width: 1200, height: 500 } });
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.goto(`${harness.baseUrl}/docs/rest`);
    const menu = page.locator('.menu-content .scrollbar-container');
    await menu.locator('li').last().waitFor({ state: 'attached' });
    await menu.hover();
    expect(refused).to.deep.equal([]);
    await page.mouse.wheel(0, 2000);
    const scrolled = `document.querySelector('.menu-content .scrollbar-container').scrollTop`;
    while ((await page.evaluate(scrolled)) === 0) await page.waitForTimeout(20);
  });
});
