/** A test or a suite that is left out, and why: `bin/totalsReporter.mjs` prints the reason. */
export interface Skipped {
  skippedFor?: string;
}
