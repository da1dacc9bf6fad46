import { expect } from 'chai';
import fc from 'fast-check';
import { changeReach } from '../../src/domain/appCeiling.js';
import type { AppReach, ReachChange } from '../../src/domain/appCeiling.js';
import { allowedMask, PURPOSES, purposesOf } from '../../src/domain/purposes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';

const scopes = fc.uniqueArray(fc.constantFrom(...ALL_SCOPES.slice(0, 6)), { minLength: 1 });
const purposes = fc.option(fc.uniqueArray(fc.constantFrom(...PURPOSES)), { nil: null });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const changes: fc.Arbitrary<ReachChange> = fc.record({
  allowedScopes: maybe(scopes),
  allowedConsentPurposes: maybe(purposes),
  grantedScopes: maybe(scopes),
  grantedConsentPurposes: maybe(purposes),
});

const START: AppReach = {
  allowedScopes: ['apps:read'],
  allowedConsentPurposes: ['support'],
  grantedScopes: ['apps:read', 'apps:write'],
  grantedConsentPurposes: ['support', 'analytics'],
};

describe('changeReach', () => {
  it('never leaves a choice beyond its ceiling, and never lets the app move the ceiling', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(changes, fc.boolean()), { maxLength: 12 }), (steps) => {
        let reach = START;
        for (const [change, byOperator] of steps) {
          const { reach: next, problems } = changeReach(reach, change, byOperator);
          if (problems.length > 0) continue;
          const [allowed, granted] = [next.allowedConsentPurposes, next.grantedConsentPurposes].map(
            allowedMask,
          );
          expect(((allowed ?? 0) & ~(granted ?? 0)) === 0).to.equal(true);
          if (next.allowedConsentPurposes === null) expect(next.grantedConsentPurposes).to.equal(null);
          expect(next.grantedScopes).to.include.members(next.allowedScopes);
          if (!byOperator) {
            expect(next.grantedScopes).to.deep.equal(reach.grantedScopes);
            expect(next.grantedConsentPurposes === null).to.equal(reach.grantedConsentPurposes === null);
            expect(granted).to.equal(allowedMask(reach.grantedConsentPurposes));
          }
          reach = next;
        }
      }),
    );
  });

  it('gives the app its choice unless it refuses the change', () => {
    fc.assert(
      fc.property(changes, fc.boolean(), (change, byOperator) => {
        const { reach, problems } = changeReach(START, change, byOperator);
        if (problems.length > 0) return;
        if (change.allowedScopes) expect(reach.allowedScopes).to.deep.equal(change.allowedScopes);
        if (change.allowedConsentPurposes !== undefined)
          expect(purposesOf(allowedMask(reach.allowedConsentPurposes))).to.have.members(
            change.allowedConsentPurposes ?? PURPOSES,
          );
      }),
    );
  });
});
