import { findChromium, INSTALL_CHROMIUM } from './findChromium.js';

/** Tests that need a browser. Where there is none they are reported as skipped, with the reason and the remedy in their name. */
export function describeInBrowser(title: string, define: () => void): void {
  if (findChromium() !== undefined) {
    describe(title, function () {
      // A browser on a busy machine: not a measure of anything.
      this.timeout(120_000);
      define();
    });
  } else describe.skip(`${title} (skipped: no Chromium was found; install it with: ${INSTALL_CHROMIUM})`, define);
}
