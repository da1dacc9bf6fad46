import type { Skipped } from './Skipped.js';

/**
 * Leaves out the test, or the rest of the suite when called in its `before`, where the machine lacks what it
 * needs. In CI a test that is skipped without a reason fails (`bin/totalsReporter.mjs`).
 *
 * @param reason what is missing and how to get it; the report prints it
 */
export function skipUnless(context: Mocha.Context, isThere: boolean, reason: string): void {
  if (isThere) return;
  const { test } = context;
  const isHook = test !== undefined && 'type' in test && test.type === 'hook';
  const skipped = (isHook ? test.parent : test) as Skipped | undefined;
  if (skipped !== undefined) skipped.skippedFor = reason;
  context.skip();
}
