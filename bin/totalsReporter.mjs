import { relative } from 'node:path';
import Mocha from 'mocha';

const { EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_PENDING, EVENT_TEST_RETRY } = Mocha.Runner.constants;

const SLOWEST_FILES = 15;

/**
 * Mocha's own report, in CI the slowest files with their hooks, each test that failed once and passed at the
 * second try (CI allows one), why tests were skipped, and the totals alone on the last line. In CI a test that
 * was skipped without a reason counts as failed.
 */
export default class TotalsReporter extends Mocha.reporters.Spec {
  #triedAgain = [];
  /** Skipped tests by reason. */
  #skipped = new Map();
  #unexplained = [];
  /** Milliseconds by file. */
  #took = new Map();

  constructor(runner, options) {
    super(runner, options);
    runner.on(EVENT_SUITE_BEGIN, (suite) => this.#addTime(suite, -Date.now()));
    runner.on(EVENT_SUITE_END, (suite) => this.#addTime(suite, Date.now()));
    runner.on(EVENT_TEST_RETRY, (test, error) =>
      this.#triedAgain.push(`${test.fullTitle()}: ${error.message}`),
    );
    runner.on(EVENT_TEST_PENDING, (test) => {
      const reason = reasonOf(test);
      if (reason === undefined) this.#unexplained.push(test.fullTitle());
      else this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    });
  }

  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const failed = failures + this.#failedForSkipping;
    const skipped = pending - this.#failedForSkipping;
    if (process.env.CI) this.#printSlowest();
    for (const test of this.#triedAgain) console.log(`tried again: ${test}`);
    for (const [reason, count] of this.#skipped) console.log(`skipped ${count}: ${reason}`);
    for (const test of this.#unexplained) console.log(`skipped without a reason: ${test}`);
    console.log(`${passes} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }

  #addTime(suite, ms) {
    if (suite.parent?.root) this.#took.set(suite.file, (this.#took.get(suite.file) ?? 0) + ms);
  }

  #printSlowest() {
    const slowest = [...this.#took].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST_FILES);
    for (const [file, ms] of slowest) console.log(`${Math.round(ms / 1000)} s: ${relative('', file)}`);
  }

  /** Mocha asks at the end; what is handed on decides the exit code. */
  done(failures, finish) {
    finish(failures + this.#failedForSkipping);
  }

  get #failedForSkipping() {
    return process.env.CI ? this.#unexplained.length : 0;
  }
}

/** Set by `test/support/describeIf.ts` and `skipUnless.ts` on the test or a suite around it. */
function reasonOf(runnable) {
  return runnable === undefined ? undefined : (runnable.skippedFor ?? reasonOf(runnable.parent));
}
