import Mocha from 'mocha';

/** Mocha's own report, then the totals alone on the last line. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
}
