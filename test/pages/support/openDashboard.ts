import type { Page } from 'playwright-core';
import type { PagesHarness } from './PagesHarness.js';
import { PARTNER, PASSWORD } from './PagesHarness.js';
import type { Words } from './tour.js';
import { WORDS } from './tour.js';

/**
 * Leads a member from the door to a page of the dashboard, over signing in, the choice of the app and the
 * approval.
 */
export async function openDashboard(
  harness: PagesHarness,
  page: Page,
  email: string,
  path = '',
  words: Words = WORDS.en,
): Promise<void> {
  await page.goto(`${harness.baseUrl}/dashboard${path}`);
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password).fill(PASSWORD);
  await page.getByRole('button', { name: words.signIn, exact: true }).click();
  await page.getByRole('button', { name: new RegExp(PARTNER) }).click();
  await page.locator('button[value=allow]').click();
  await settled(page);
}

/** Waits until the page shows what it read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#main h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}
