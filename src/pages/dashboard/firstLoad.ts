import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DASHBOARD } from '../../oauth/firstPartyPages.js';
import { bundleFolder } from '../appPages/bundle.js';
import type { Locale } from '../../texts/textsFor.js';

/** Names of the bundle's files by when the browser needs them; the build writes it. */
export interface FirstLoad {
  style: string;
  /** What every page takes. */
  everywhere: string[];
  languages: Record<Locale, string>;
  /** What each page takes besides, by the names of their modules. */
  pages: Record<string, string[]>;
}

/** The first part of an address, and the module of its page: of the list, and of one thing of it. */
const PAGES: Readonly<Record<string, readonly [list: string, one?: string]>> = {
  '': ['OverviewPage'],
  customers: ['CustomersPage', 'CustomerPage'],
  sessions: ['SessionsPage', 'SessionPage'],
  workflows: ['WorkflowsPage', 'WorkflowPage'],
  webhooks: ['WebhooksPage', 'EndpointPage'],
  catalog: ['CatalogPage'],
  app: ['AppPage'],
};

/**
 * All that the browser needs for an address of the dashboard, to be fetched at once instead of one after the
 * other.
 */
export function scriptsFor(first: FirstLoad, locale: Locale, path: string): string[] {
  const [, , place = '', id] = path.split('/');
  const [list, one = list] = PAGES[place] ?? [];
  const page = first.pages[(id === undefined ? list : one) ?? ''] ?? [];
  return [...first.everywhere, first.languages[locale], ...page];
}

/** Undefined where the dashboard was not built. */
export function loadFirstLoad(): FirstLoad | undefined {
  const place = fileURLToPath(new URL('first-load.json', bundleFolder(DASHBOARD)));
  return existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as FirstLoad) : undefined;
}
