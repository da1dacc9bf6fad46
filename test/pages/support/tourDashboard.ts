import type { Page } from 'playwright-core';
import { ALL_SCOPES } from '../../../src/domain/scopes.js';
import type { DashboardData } from './dashboardData.js';
import { openDashboard, settled } from './openDashboard.js';
import type { PagesHarness } from './PagesHarness.js';
import type { Look, Words } from './tour.js';

/** Leads an operator to every page of the dashboard and shows each to `look`. */
export async function tourDashboard(
  harness: PagesHarness,
  data: DashboardData,
  page: Page,
  words: Words,
  look: Look,
): Promise<void> {
  await page.context().clearCookies();
  await openDashboard(harness, page, await harness.newMember([...ALL_SCOPES]), '', words);
  const customer = `/customers/${data.mira.customerId}`;
  const places: [name: string, path: string, ready: string][] = [
    ['overview', '', '.tile'],
    ['customers', '/customers', '.data tbody tr'],
    ['customers-none', '/customers?external_id=nobody', '.empty-state'],
    ['customer', customer, '.gates .open'],
    ['customer-closed', `${customer}?purpose=SUPPORT`, '.empty-state .quiet'],
    ['fact', `${customer}?fact=PROFILE_RESOLUTION.home.city`, '.waterfall .result'],
    ['consent', `${customer}/consent`, '.timeline li'],
    ['claims', `${customer}/claims`, '.data tbody tr'],
    ['intents', `${customer}/intents`, '.data tbody tr'],
    ['events', `${customer}/events`, '.data tbody tr'],
    ['customer-sessions', `${customer}/sessions`, '.data tbody tr'],
    ['sessions', '/sessions', '.data tbody tr'],
    ['workflows', '/workflows', '.data tbody tr'],
    ['webhooks', '/webhooks', '.data tbody tr'],
    ['endpoint', `/webhooks/${data.endpointId}`, '.data tbody tr'],
    ['catalog', '/catalog', '.data tbody tr'],
    ['entries', '/catalog/entries', '.data tbody tr'],
    ['app', '/app', '.options-grid'],
    ['credentials', '/app/credentials', '.details'],
    ['members', '/app/members', '.data tbody tr'],
    ['requests', '/app/requests', '.data tbody tr, .empty-state'],
    ['nowhere', '/nowhere', '.empty-state'],
  ];
  for (const [name, path, ready] of places) {
    await page.goto(`${harness.baseUrl}/dashboard${path}`);
    await settled(page);
    await page.locator(ready).first().waitFor();
    await look(`dashboard-${name}`, page);
  }
  await lookInto(harness, data, page, look);
}

/** What opens over a page. */
async function lookInto(harness: PagesHarness, data: DashboardData, page: Page, look: Look): Promise<void> {
  await page.goto(`${harness.baseUrl}/dashboard`);
  await settled(page);
  // On a phone the navigation is behind a button.
  const navigation = page.locator('.menu-button button');
  if (await navigation.isVisible()) await navigation.click();
  await page.locator('.side .account').click();
  await page.locator('.account-menu').waitFor();
  await look('dashboard-account-menu', page);
  await page.goto(`${harness.baseUrl}/dashboard/webhooks/${data.endpointId}`);
  await page.locator('.data .row-link').first().click();
  await page.locator('.attempts, .drawer-title').first().waitFor();
  await look('dashboard-delivery', page);
  await page.goto(`${harness.baseUrl}/dashboard/customers/${data.mira.customerId}/sessions`);
  await page.locator('.toolbar .button.primary').click();
  await page.locator('.dialog .checks').waitFor();
  await look('dashboard-new-session', page);
  await page.locator('.dialog footer .primary').click();
  await page.locator('.qr').waitFor();
  await look('dashboard-session', page);
}
