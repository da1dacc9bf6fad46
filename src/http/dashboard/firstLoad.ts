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
  /** What the page at `/dashboard` takes besides. */
  page: string[];
}

/** Undefined where the dashboard was not built. */
export function loadFirstLoad(): FirstLoad | undefined {
  const place = fileURLToPath(new URL('first-load.json', bundleFolder(DASHBOARD)));
  return existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as FirstLoad) : undefined;
}
