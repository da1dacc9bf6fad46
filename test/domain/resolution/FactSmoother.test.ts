import { expect } from 'chai';
import fc from 'fast-check';
import { FactSmoother } from '../../../src/domain/resolution/FactSmoother.js';
import { TruthFilter } from '../../../src/domain/resolution/truthFilter.js';

const GROUPS = 3;

const claims = fc.array(
  fc.record({
    group: fc.nat({ max: GROUPS - 1 }),
    day: fc.integer({ min: 0, max: 900 }),
    logOdds: fc.double({ min: -3, max: 5, noNaN: true }),
    copied: fc.constantFrom(0, 0, 0.4, 1),
  }),
  { minLength: 1, maxLength: 60 },
);

const models = fc.record({
  domain: fc.constantFrom(3, 10, 1000),
  halfLifeDays: fc.constantFrom(30, 730, Infinity),
  hardShare: fc.constantFrom(0, 0.3, 1),
});

describe('FactSmoother', () => {
  it('computes the same probabilities at the last claim as TruthFilter', () => {
    fc.assert(
      fc.property(claims, models, (unordered, model) => {
        const ordered = unordered.toSorted((a, b) => a.day - b.day);
        const smoother = new FactSmoother(
          Int32Array.from(ordered, ({ group }) => group),
          Float64Array.from(ordered, ({ day }) => day),
        );
        smoother.smooth(
          { start: 0, size: ordered.length, groups: GROUPS, ...model },
          Float64Array.from(ordered, ({ logOdds }) => logOdds),
          Float64Array.from(ordered, ({ copied }) => copied),
          model.hardShare,
        );
        const filter = new TruthFilter({ groups: GROUPS, ...model });
        let day = ordered[0]?.day ?? 0;
        for (const claim of ordered) {
          filter.elapse(claim.day - day);
          filter.observe(claim);
          day = claim.day;
        }
        for (let value = 0; value <= GROUPS; value += 1) {
          expect(smoother.state(ordered.length - 1, value)).to.be.closeTo(filter.probability(value), 1e-9);
        }
      }),
    );
  });

  it('computes the same with multiplied likelihoods and with added logarithms', () => {
    fc.assert(
      fc.property(claims, models, (ordered, model) => {
        const believe = (silent: number): number[] => {
          const all = [
            ...ordered,
            ...Array.from({ length: silent }, () => ({ group: 0, logOdds: 0, copied: 1 })),
          ];
          const smoother = new FactSmoother(
            Int32Array.from(all, ({ group }) => group),
            new Float64Array(all.length),
          );
          smoother.smooth(
            { start: 0, size: all.length, groups: GROUPS, ...model },
            Float64Array.from(all, ({ logOdds }) => logOdds),
            Float64Array.from(all, ({ copied }) => copied),
            model.hardShare,
          );
          return [smoother.logEvidence, ...[0, 1, 2, 3].map((value) => smoother.state(0, value))];
        };
        const short = believe(0);
        for (const [index, value] of believe(50).entries())
          expect(value).to.be.closeTo(short[index] ?? 0, 1e-8);
      }),
    );
  });
});
