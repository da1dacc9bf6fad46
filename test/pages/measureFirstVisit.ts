import { stopTestServer } from '../support/database.js';
import { fillDashboard } from './support/dashboardData.js';
import { openDashboard } from './support/openDashboard.js';
import { PagesHarness } from './support/PagesHarness.js';
import { Visitor } from './support/Visitor.js';

const VISITS = 9;

interface Visit {
  paint: number;
  usable: number;
  bytes: number;
}

/**
 * Notes when the first row of the list is in the document; the page's own clock begins with the navigation.
 */
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (document.querySelector('.row-link') === null) return;
  globalThis.usableAt = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true });`;

const READ_VISIT = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  usable: globalThis.usableAt,
  bytes: performance.getEntriesByType('resource').reduce((sum, { transferSize }) => sum + transferSize, 0),
})`;

/**
 * `npm run bench:pages`: how soon the dashboard's list of customers can be used, by whoever comes for the
 * first time and later.
 */
async function main(): Promise<void> {
  const harness = await PagesHarness.open();
  const data = await fillDashboard(harness);
  const visitor = await Visitor.arrive();
  const page = await visitor.newPerson();
  await openDashboard(
    harness,
    page,
    await harness.newMember(['customers:read', 'consent:read', 'profile:read']),
  );
  const { cookies } = await page.context().storageState();
  const first: Visit[] = [];
  const later: Visit[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    const fresh = await visitor.newPerson();
    await fresh.context().addCookies(cookies);
    await fresh.addInitScript({ content: NOTE_FIRST_ROW });
    for (const visits of [first, later]) {
      await fresh.goto(`${harness.baseUrl}/dashboard/customers`);
      await fresh.locator('.row-link').first().waitFor();
      visits.push(await fresh.evaluate<Visit>(READ_VISIT));
    }
    await fresh.context().close();
  }
  for (const [name, visits] of Object.entries({ first, later }))
    console.log(`${name} visit: ${describeVisits(visits)}`);
  await visitor.leave();
  await data.receiver.stop();
  await harness.close();
  await stopTestServer();
}

function describeVisits(visits: readonly Visit[]): string {
  const spread = (of: (visit: Visit) => number): string => {
    const sorted = visits.map(of).toSorted((one, other) => one - other);
    const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    return `${at(0.5)} (${at(0)} to ${at(1)})`;
  };
  return `first paint ${spread(({ paint }) => paint)} ms, usable ${spread(({ usable }) => usable)} ms, ${spread(({ bytes }) => bytes / 1000)} KB`;
}

await main();
process.exit(0);
