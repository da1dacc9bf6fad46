import type { Page } from 'playwright-core';
import type { PagesHarness } from './PagesHarness.js';
import { PARTNER, PASSWORD } from './PagesHarness.js';
import type { Look, Words } from './tour.js';

/** Leads an operator to the pages of GraphiQL and shows each to `look`. */
export async function tourGraphiql(
  harness: PagesHarness,
  page: Page,
  words: Words,
  look: Look,
): Promise<void> {
  await page.context().clearCookies();
  await signIn(
    harness,
    page,
    words,
    await harness.newMember(['customers:read', 'profile:read', 'consent:write']),
  );
  await page.goto(`${harness.baseUrl}/graphiql`);
  await page.locator('summary').first().click();
  await look('graphiql-pick', page);
  await openApp(page);
  await look('graphiql-authorize', page);
  await page.locator('button[value=deny]').click();
  await look('graphiql-denied', page);
  await page.goto(`${harness.baseUrl}/graphiql`);
  await openApp(page);
  await page.locator('button[value=allow]').click();
  await page.locator('.graphiql-query-editor textarea[aria-label]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: words.examples }).first().click();
  await page.locator('.examples').waitFor();
  await look('graphiql', page);
}

async function signIn(harness: PagesHarness, page: Page, words: Words, email: string): Promise<void> {
  await page.goto(`${harness.baseUrl}/sign-in`);
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password).fill(PASSWORD);
  await page.getByRole('button', { name: words.signIn, exact: true }).click();
}

async function openApp(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(PARTNER) })
    .last()
    .click();
}
