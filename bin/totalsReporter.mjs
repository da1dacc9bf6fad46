import Mocha from 'mocha';

/** Mocha's own report, each test that failed once and then passed (CI allows one more try), then the totals alone on the last line. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  #triedAgain = [];

  constructor(runner, options) {
    super(runner, options);
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test, error) =>
      this.#triedAgain.push(`${test.fullTitle()}: ${error.message}`),
    );
  }

  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    for (const test of this.#triedAgain) console.log(`tried again: ${test}`);
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
}
