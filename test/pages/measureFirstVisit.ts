import { stopTestServer } from '../support/database.js';
import { fillDashboard } from './support/dashboardData.js';
import { openDashboard } from './support/openDashboard.js';
import { PagesHarness } from './support/PagesHarness.js';
import { Visitor } from './support/Visitor.js';

const VISITS = 9;

/** What Lighthouse reports of a page, in milliseconds but for `shift` and `kilobytes`. */
interface Visit {
  /** First contentful paint. */
  paint: number;
  /** Largest contentful paint. */
  largest: number;
  /** The first row of the list is in the document. */
  usable: number;
  /** Total blocking time: what tasks took beyond 50 ms each. */
  blocked: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Work of the page's main thread, however long it waited for a core. */
  work: number;
  /** From a press on a row to the next paint. */
  press: number;
  kilobytes: number;
}

/** The page's own clock begins with the navigation. */
const OBSERVE = `globalThis.seen = { largest: 0, blocked: 0, shift: 0, press: 0 };
const watch = (type, note, more) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
watch('largest-contentful-paint', ({ startTime }) => (seen.largest = startTime));
watch('longtask', ({ duration }) => (seen.blocked += Math.max(0, duration - 50)));
watch('layout-shift', ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value));
watch('event', ({ duration }) => (seen.press = Math.max(seen.press, duration)), { durationThreshold: 16 });
new MutationObserver((_, observer) => {
  if (document.querySelector('.row-link') === null) return;
  seen.usable = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true });`;

const READ_VISIT = `({
  ...seen,
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  kilobytes: performance.getEntriesByType('resource').reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
})`;

/**
 * `npm run bench:pages`: how soon the dashboard's list of customers can be used, by whoever comes for the
 * first time and later, in the terms of Lighthouse.
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
    await fresh.addInitScript({ content: OBSERVE });
    const devtools = await fresh.context().newCDPSession(fresh);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (const visits of [first, later]) {
      await fresh.goto(`${harness.baseUrl}/dashboard/customers`);
      await fresh.locator('.row-link').first().waitFor();
      const visit = await fresh.evaluate<Visit>(READ_VISIT);
      const { metrics } = await devtools.send('Performance.getMetrics');
      const work = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
      await fresh.locator('.row-link').first().click();
      await fresh.locator('.gates, .table-frame').first().waitFor();
      const press = await fresh.evaluate<number>('seen.press');
      visits.push({ ...visit, work, press });
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

/** The median of each number, with the least and the greatest. */
function describeVisits(visits: readonly Visit[]): string {
  const names = ['paint', 'largest', 'usable', 'blocked', 'shift', 'work', 'press', 'kilobytes'] as const;
  return names
    .map((name) => {
      const sorted = visits.map((visit) => visit[name]).toSorted((one, other) => one - other);
      const at = (share: number): string =>
        (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(name === 'shift' ? 3 : 0);
      return `${name} ${at(0.5)} (${at(0)} to ${at(1)})`;
    })
    .join(', ');
}

await main();
process.exit(0);
