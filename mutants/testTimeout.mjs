// Stryker runs mocha without a timeout: a mutant that waits for ever would cost a new process.
const timeout = Number(process.env['MUTANTS_TEST_MS'] ?? 20_000);

export const mochaHooks = {
  beforeEach() {
    this.currentTest.timeout(timeout);
  },
};
