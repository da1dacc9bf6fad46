// Root hooks of the test runs of Stryker.
const STRYKER = '__stryker__';
const BEFORE_ALL = '_beforeAll';
const timeout = Number(process.env['MUTANTS_TEST_MS'] ?? 20_000);

// Stryker counts what a `before` hook reaches for the test that ran last, or for none. Here it counts for
// each test of the hook's suite.
const suites = new Map();

export const mochaHooks = {
  beforeAll() {
    const stryker = globalThis[STRYKER];
    if (stryker?.activeMutant !== undefined || suites.size > 0) return;
    for (const suite of suitesBelow(this.test.parent)) {
      const id = `before ${suite.fullTitle()}`;
      suites.set(id, suite);
      for (const hook of suite[BEFORE_ALL]) {
        const { fn } = hook;
        hook.fn = function counted(...given) {
          stryker.currentTestId = id;
          return fn.apply(this, given);
        };
        if (fn.length > 0) throw new Error(`${id}: hooks with a callback are not counted`);
      }
    }
  },

  beforeEach() {
    // Stryker runs mocha without a timeout: a mutant that waits for ever would cost a new process.
    this.currentTest.timeout(timeout);
  },

  afterAll() {
    const perTest = globalThis[STRYKER]?.mutantCoverage?.perTest ?? {};
    for (const [id, suite] of suites) {
      suite.eachTest((test) => {
        const counts = (perTest[test.fullTitle()] ??= {});
        for (const [mutant, count] of Object.entries(perTest[id] ?? {}))
          counts[mutant] = (counts[mutant] ?? 0) + count;
      });
      delete perTest[id];
    }
  },
};

function suitesBelow(suite) {
  return suite.suites.flatMap((child) => [child, ...suitesBelow(child)]);
}
