import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * WCAG 2.2 AA and what axe holds to be good practice beyond it. Of rules that pass axe tells one node, and
 * selectors of none: nobody reads them, and making them took more than half of its time.
 */
const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
};

/**
 * What axe-core finds wrong with the page as it stands, one line each. The page's own policy forbids foreign
 * scripts: evaluated, not injected.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const results = (await page.evaluate(`${SOURCE}; axe.run(${JSON.stringify(OPTIONS)})`)) as AxeResults;
  if (results.passes.length < 10) throw new Error('axe-core hardly looked at the page.');
  return results.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).join(' ')})`,
  );
}
