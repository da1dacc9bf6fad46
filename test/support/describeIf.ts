import type { Skipped } from './Skipped.js';

/**
 * A suite that is left out, its hooks too, where the machine lacks what it needs.
 *
 * @param reason what is missing and how to get it; the report prints it
 */
export function describeIf(
  isThere: boolean,
  reason: string,
  title: string,
  define: (this: Mocha.Suite) => void,
): void {
  if (isThere) return void describe(title, define);
  const skipped = describe.skip(title, define) as Skipped | void;
  if (skipped) skipped.skippedFor = reason;
}
