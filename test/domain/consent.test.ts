import { expect } from 'chai';
import fc from 'fast-check';
import { isLive } from '../../src/access/consentGate.js';
import type { GateHead } from '../../src/access/consentGate.js';
import { closePurposes, epochOf, grantPurposes, isGranted } from '../../src/domain/consent.js';
import type { ConsentState } from '../../src/domain/consent.js';
import {
  ALL_PURPOSES_MASK,
  allowedMask,
  maskOf,
  PURPOSES,
  PLACE_OF,
  purposesOf,
} from '../../src/domain/purposes.js';

const NOTHING: ConsentState = { grantedMask: 0, epochs: [0, 0, 0, 0, 0, 0, 0] };

const purposes = fc.uniqueArray(fc.constantFrom(...PURPOSES), { minLength: 1 });
const decisions = fc.array(fc.record({ grants: fc.boolean(), purposes }), { maxLength: 40 });

function decide(
  state: ConsentState,
  decision: { grants: boolean; purposes: (typeof PURPOSES)[number][] },
): ConsentState {
  return decision.grants
    ? grantPurposes(state, decision.purposes)
    : closePurposes(state, decision.purposes).state;
}

/** A customer's head in a state, of an app that may use every purpose. */
function headIn({ grantedMask, epochs }: ConsentState): GateHead {
  return { granted_mask: grantedMask, allowed_mask: allowedMask(null), epochs };
}

describe('consent', () => {
  it('is the latest decision on each purpose', () => {
    fc.assert(
      fc.property(decisions, (made) => {
        const state = made.reduce(decide, NOTHING);
        for (const purpose of PURPOSES) {
          const last = made.findLast((decision) => decision.purposes.includes(purpose));
          expect(isGranted(state, purpose)).to.equal(last?.grants ?? false);
        }
      }),
    );
  });

  it('begins a new epoch with each grant of a closed purpose, and only then', () => {
    fc.assert(
      fc.property(decisions, (made) => {
        let state = NOTHING;
        for (const decision of made) {
          const next = decide(state, decision);
          for (const purpose of PURPOSES) {
            const opens =
              decision.grants && decision.purposes.includes(purpose) && !isGranted(state, purpose);
            expect(epochOf(next, purpose) - epochOf(state, purpose)).to.equal(opens ? 1 : 0);
          }
          state = next;
        }
      }),
    );
  });

  it('never shows data of an ended epoch again, whatever is decided later', () => {
    fc.assert(
      fc.property(decisions, fc.constantFrom(...PURPOSES), decisions, (before, purpose, after) => {
        const granted = grantPurposes(before.reduce(decide, NOTHING), [purpose]);
        const epoch = epochOf(granted, purpose);
        expect(isLive(headIn(granted), PLACE_OF[purpose], epoch)).to.equal(true);
        const closed = closePurposes(granted, [purpose]);
        expect(closed.closed).to.deep.equal([{ purpose, epoch }]);
        let state = closed.state;
        for (const decision of after) {
          state = decide(state, decision);
          expect(isLive(headIn(state), PLACE_OF[purpose], epoch)).to.equal(false);
        }
      }),
    );
  });

  it('opens a purpose for a customer whose row is older than the purpose', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: PURPOSES.length }), purposes, (slots, granted) => {
        const state = grantPurposes({ grantedMask: 0, epochs: NOTHING.epochs.slice(0, slots) }, granted);
        expect(state.epochs).to.deep.equal(PURPOSES.map((purpose) => (granted.includes(purpose) ? 1 : 0)));
        for (const purpose of granted) expect(isLive(headIn(state), PLACE_OF[purpose], 1)).to.equal(true);
      }),
    );
  });

  it('reports only open purposes as closed', () => {
    fc.assert(
      fc.property(decisions, purposes, (made, asked) => {
        const state = made.reduce(decide, NOTHING);
        const { closed } = closePurposes(state, asked);
        expect(closed.map(({ purpose }) => purpose)).to.deep.equal(
          asked.filter((purpose) => isGranted(state, purpose)),
        );
      }),
    );
  });

  it('converts purposes to masks and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ALL_PURPOSES_MASK }), (mask) => {
        expect(maskOf(purposesOf(mask))).to.equal(mask);
      }),
    );
  });
});
