import { describeIf } from '../../support/describeIf.js';
import { findChromium, INSTALL_CHROMIUM } from './findChromium.js';

/** Tests that need a browser. */
export function describeInBrowser(title: string, define: () => void): void {
  const isThere = findChromium() !== undefined;
  describeIf(isThere, `no Chromium was found (${INSTALL_CHROMIUM})`, title, function (this: Mocha.Suite) {
    // A browser on a busy machine: not a measure of anything.
    define();
  });
}
