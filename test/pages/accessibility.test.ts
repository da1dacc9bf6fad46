import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations } from './support/axe.js';
import type { DashboardData } from './support/dashboardData.js';
import { fillDashboard } from './support/dashboardData.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { itInProofs } from '../support/itInProofs.js';
import { PagesHarness } from './support/PagesHarness.js';
import type { Look } from './support/tour.js';
import { tourConnect, tourRecovery, WORDS } from './support/tour.js';
import { tourDashboard } from './support/tourDashboard.js';
import { tourGraphiql } from './support/tourGraphiql.js';
import { tourSite } from './support/tourSite.js';
import { Visitor } from './support/Visitor.js';

const PHONE: BrowserContextOptions = { viewport: { width: 320, height: 640 } };

describeInBrowser('accessibility of every page', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let data: DashboardData;

  before(async () => {
    harness = await PagesHarness.open();
    data = await fillDashboard(harness);
    visitor = await Visitor.arrive();
  });

  after(async () => {
    await visitor?.leave();
    await data?.receiver.stop();
    await harness?.close();
  });

  const DARK_GERMAN: BrowserContextOptions = { colorScheme: 'dark', locale: 'de-DE' };
  // CI looks at the pages in one look; proofs at these, the site and the dashboard in each.
  const looks: [string, 'en' | 'de', BrowserContextOptions, typeof itInProofs][] = [
    ['light', 'en', { colorScheme: 'light' }, it],
    ['dark, in German, on a small phone', 'de', { ...DARK_GERMAN, ...PHONE }, itInProofs],
    ['dark, in German', 'de', DARK_GERMAN, itInProofs],
    ['on a small phone', 'en', PHONE, itInProofs],
  ];
  for (const [title, language, options, itOnPages] of looks) {
    itOnPages(`has no axe-core violation and fits the window: ${title}`, async function () {
      // Three dozen pages.
      this.timeout(300_000);
      const tour = async (page: Page, look: Look): Promise<void> => {
        await tourConnect(harness, page, WORDS[language], look);
        await tourRecovery(harness, page, WORDS[language], look);
        await tourGraphiql(harness, page, WORDS[language], look);
      };
      const due = ['home', 'connect-start', 'connect-decide', 'sign-in', 'sign-up', 'connect-expired'];
      await inspect(options, tour, [...due, 'graphiql']);
    });

    itInProofs(`has no axe-core violation and fits the window in the dashboard: ${title}`, async function () {
      // Two dozen pages.
      this.timeout(300_000);
      const tour = (page: Page, look: Look) => tourDashboard(harness, data, page, WORDS[language], look);
      const due = ['dashboard-overview', 'dashboard-fact', 'dashboard-account-menu', 'dashboard-session'];
      await inspect(options, tour, due);
    });

    itInProofs(
      `has no axe-core violation and fits the window in the documentation: ${title}`,
      async function () {
        // A dozen long pages.
        this.timeout(300_000);
        const tour = (page: Page, look: Look) =>
          // Redoc makes this one, of 30,000 elements: axe-core takes a minute, and its headings are Redoc's.
          tourSite(harness, page, async (name) => (name === 'site-rest' ? undefined : look(name, page)));
        const due = ['site-home', 'site-concept-consent', 'site-graphql', 'site-nowhere', 'site-search'];
        await inspect(options, tour, due);
      },
    );
  }

  /** Tours pages and finds no problem on any. @param due pages that must be among them */
  async function inspect(
    options: BrowserContextOptions,
    tour: (page: Page, look: Look) => Promise<void>,
    due: string[],
  ): Promise<void> {
    const page = await visitor.newPerson(options);
    const problems: string[] = [];
    const names: string[] = [];
    const errors = consoleErrors(page);
    await tour(page, async (name) => {
      names.push(name);
      problems.push(...(await problemsOf(page)).map((problem) => `${name}: ${problem}`));
    });
    expect(names).to.include.members(due);
    expect(problems).to.deep.equal([]);
    expect(errors, 'such as blocked by the content security policy').to.deep.equal([]);
  }

  it('is walked through with the keyboard in the order in which it is read', async () => {
    const page = await visitor.newPerson();
    const { connection_url: link } = await harness.newSession({
      requested_purposes: ['analytics', 'support'],
    });
    await page.goto(link);
    const home = 'www.acme.example (opens in a new tab)';
    expect(await tabStops(page, 3)).to.deep.equal(['Skip to the content', home, 'Continue']);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill('keys@example.org');
    await page.getByLabel('Password').fill('gravel orchid teapot nine');
    await page.keyboard.press('Enter');
    await page.getByRole('timer').waitFor();
    const details = 'What this means';
    const stops = [
      'Skip to the content',
      'keys@example.org',
      'Sign out',
      home,
      'analytics',
      details,
      'support',
      details,
    ];
    stops.push(
      '',
      'terms of service (opens in a new tab)',
      'privacy policy (opens in a new tab)',
      'approve',
      'decline',
    );
    expect(await tabStops(page, stops.length)).to.deep.equal(stops);
    expect(
      await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`),
      'visible focus',
    ).to.equal('solid');
  });
});

/** Contrast is judged of the page at rest: what fades in has less of it until it is there. */
const AT_REST = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => undefined))).then(() => undefined)`;

async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(AT_REST);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return [
    ...(await axeViolations(page)),
    ...(overflow === 0 ? [] : [`is ${String(overflow)} pixels too wide`]),
  ];
}

function consoleErrors(page: Page): string[] {
  const errors: string[] = [];
  // What answers with an error status is logged by the browser too; those pages are meant to.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/** What the tab key reaches, one after another: an input by its value, the rest by their text. */
async function tabStops(page: Page, count: number): Promise<unknown[]> {
  const stops: unknown[] = [];
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(`document.activeElement.value || document.activeElement.textContent`));
  }
  return stops;
}
