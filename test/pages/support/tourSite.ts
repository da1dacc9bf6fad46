import type { Page } from 'playwright-core';
import type { PagesHarness } from './PagesHarness.js';

/** Pages of the documentation that stand for their kind. */
const PAGES: Record<string, string> = {
  home: '',
  'start-rest': 'start/rest',
  'start-graphql': 'start/graphql',
  'concept-consent': 'concepts/consent',
  'concept-ordering': 'concepts/ordering',
  recipe: 'recipes/verify-a-webhook',
  contract: 'contract',
  webhooks: 'webhooks',
  subscriptions: 'subscriptions',
  errors: 'errors',
  graphql: 'reference/graphql-queries',
  rest: 'rest',
  nowhere: 'nowhere',
};

/** The documentation as a reader sees it first; a page of the site is longer than any picture is useful. */
export async function tourSite(
  harness: PagesHarness,
  page: Page,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(`${harness.running.url}/docs/${path}`);
    await page.waitForLoadState('networkidle');
    await shoot(`site-${name}`);
  }
  await page.goto(`${harness.running.url}/docs/start/rest`);
  await page.waitForLoadState('networkidle');
  await page.evaluate('window.scrollTo(0, 900)');
  await shoot('site-start-rest-further');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('idempotency');
  await page.locator('#localsearch-list a').first().waitFor();
  await shoot('site-search');
}
