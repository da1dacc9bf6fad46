import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { stopTestServer } from '../support/database.js';
import { fillDashboard } from './support/dashboardData.js';
import { PagesHarness } from './support/PagesHarness.js';
import { spreadHistory } from './support/spreadHistory.js';
import { tourConnect, tourRecovery, WORDS } from './support/tour.js';
import { tourAuthorize } from './support/tourAuthorize.js';
import { tourDashboard } from './support/tourDashboard.js';
import { tourGraphiql } from './support/tourGraphiql.js';
import { tourSite } from './support/tourSite.js';
import { Visitor } from './support/Visitor.js';

const DESKTOP = { width: 1100, height: 800 };
const PHONE = { width: 390, height: 844 };

const LOOKS: [string, 'en' | 'de', BrowserContextOptions][] = [
  ['light', 'en', { viewport: DESKTOP, colorScheme: 'light' }],
  ['dark', 'en', { viewport: DESKTOP, colorScheme: 'dark' }],
  ['phone', 'en', { viewport: PHONE, colorScheme: 'light' }],
  ['german', 'de', { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' }],
  // What is left of a window of 1100 by 800 at 200 % zoom.
  ['zoomed', 'en', { viewport: { width: 550, height: 400 }, deviceScaleFactor: 2 }],
];

/**
 * `npm run screenshots [-- FOLDER [site]]`: every page, or those of the documentation, in every look, as a
 * PNG file.
 */
async function main(folder: string, only: string | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const harness = await PagesHarness.open();
  const data = only === 'site' ? undefined : await fillDashboard(harness);
  if (data !== undefined) await spreadHistory(harness);
  const visitor = await Visitor.arrive();
  let count = 0;
  for (const [look, language, options] of LOOKS) {
    const page = await visitor.newPerson(options);
    const shootAs =
      (fullPage: boolean) =>
      async (name: string): Promise<void> => {
        await page.screenshot({ path: join(folder, `${name}.${look}.png`), fullPage });
        count += 1;
      };
    const shoot = shootAs(true);
    // It is in English only.
    if (language === 'en') await tourSite(harness, page, shootAs(false));
    if (data === undefined) continue;
    await tourConnect(harness, page, WORDS[language], shoot);
    await page.context().clearCookies();
    await tourRecovery(harness, page, WORDS[language], shoot);
    await page.context().clearCookies();
    await tourAuthorize(harness, page, language, shoot);
    await tourGraphiql(harness, page, WORDS[language], shoot);
    await tourDashboard(harness, data, page, WORDS[language], shoot);
  }
  await visitor.leave();
  await data?.receiver.stop();
  await harness.close();
  await stopTestServer();
  console.log(`${count} screenshots are in ${folder}`);
}

await main(process.argv[2] ?? 'screenshots', process.argv[3]);
process.exit(0);
