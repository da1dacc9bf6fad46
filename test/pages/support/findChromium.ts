import { existsSync } from 'node:fs';

/** First what has no windows around the pages: it takes less than half the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** How to get what the browser tests need. */
export const INSTALL_CHROMIUM = 'apt-get update && apt-get install -y chromium-headless-shell';

/** The Chromium to drive: `CHROMIUM_PATH`, or the system's. Undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path));
}
