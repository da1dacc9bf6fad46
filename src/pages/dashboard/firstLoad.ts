import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DASHBOARD } from '../../oauth/firstPartyPages.js';
import { bundleFolder } from '../appPages/bundle.js';
import type { Locale } from '../../texts/locale.js';

/** The bundle's files by when the browser needs them, as written by the build. */
export interface FirstLoad {
  style: string;
  /** The files of every page. */
  everywhere: string[];
  languages: Record<Locale, string>;
  /** Further files of each page, by the name of its module. */
  pages: Record<string, string[]>;
}

/** The modules of a path's list page and detail page, by the first segment of the path. */
const PAGES: Readonly<Record<string, readonly [list: string, one?: string]>> = {
  '': ['OverviewPage'],
  customers: ['CustomersPage', 'CustomerPage'],
  sessions: ['SessionsPage', 'SessionPage'],
  workflows: ['WorkflowsPage', 'WorkflowPage'],
  webhooks: ['WebhooksPage', 'EndpointPage'],
  catalog: ['CatalogPage'],
  app: ['AppPage'],
};

/** All scripts for a path of the dashboard, to be fetched in parallel. */
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
