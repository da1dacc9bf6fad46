import type { Skipped } from './Skipped.js';

/** `npm run proofs`: proofs at their full length, and the tests that only it runs. */
export const IN_PROOFS = process.env['PROOFS'] === 'long';

export const ONLY_IN_PROOFS = 'it runs under npm run proofs (PROOFS=long)';

/** A test that takes long and tells nothing new of each change, such as that of a broken variant. */
export function itInProofs(title: string, run: Mocha.AsyncFunc): void {
  if (IN_PROOFS) return void it(title, run);
  const skipped = it.skip(title, run) as Skipped;
  skipped.skippedFor = ONLY_IN_PROOFS;
}
