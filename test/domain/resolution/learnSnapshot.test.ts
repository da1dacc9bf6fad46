import { expect } from 'chai';
import fc from 'fast-check';
import { ClaimTable } from '../../../src/domain/resolution/ClaimTable.js';
import { learnSnapshot } from '../../../src/domain/resolution/learnSnapshot.js';
import type { AccuracySnapshot } from '../../../src/domain/resolution/types.js';
import { generateScenario, SCENARIOS } from '../../../bench/resolution/generateScenario.js';
import { learnAccuracies } from '../../support/learnAccuracies.js';
import type { ClaimedFact } from '../../support/learnAccuracies.js';
import { claimsOfFact } from './arbitraries.js';

const manyFacts = fc
  .array(claimsOfFact, { minLength: 1, maxLength: 12 })
  .map((facts) => facts.map((claims, index): ClaimedFact => ({ key: `cus_${index}/city`, claims })));

function learn(facts: Iterable<ClaimedFact>, version = 1): AccuracySnapshot {
  return learnAccuracies(facts, { '*': { method: 'vote' } }, version);
}

describe('learnSnapshot', () => {
  it('learns the same from any order of facts and claims', () => {
    const shuffled = manyFacts.chain((facts) =>
      fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
    );
    fc.assert(
      fc.property(shuffled, ([facts, others]) => {
        const reversed = others.map(({ key, claims }) => ({ key, claims: claims.toReversed() }));
        expect(learn(reversed)).to.deep.equal(learn(facts));
      }),
    );
  });

  it('learns the same without revoked claims as if they had never existed', () => {
    fc.assert(
      fc.property(manyFacts, manyFacts, fc.func(fc.boolean()), (kept, revoked, isRevoked) => {
        const both = kept.map((fact, index) => ({
          ...fact,
          claims: [
            ...fact.claims,
            ...(revoked[index]?.claims ?? []).map((claim) => ({ ...claim, source: `x${claim.source}` })),
          ],
        }));
        learn(both);
        const live = both.map((fact) => ({
          ...fact,
          claims: fact.claims.filter(({ source }) => !source.startsWith('x')),
        }));
        expect(learn(live)).to.deep.equal(learn(kept));
        const some = kept.map((fact) => ({
          ...fact,
          claims: fact.claims.filter(({ id }) => !isRevoked(id)),
        }));
        expect(learn(some)).to.deep.equal(learn(some.filter(({ claims }) => claims.length > 0)));
      }),
      { numRuns: 40 },
    );
  });

  it('returns finite numbers within bounds that survive JSON', () => {
    fc.assert(
      fc.property(manyFacts, (facts) => {
        const snapshot = learn(facts);
        expect(JSON.parse(JSON.stringify(snapshot))).to.deep.equal(snapshot);
        expect(snapshot.falseAgreement).to.be.within(0, 1);
        for (const { accuracy, intercept, slope } of snapshot.sources) {
          expect(accuracy).to.be.within(0.01, 0.99);
          expect(slope).to.be.within(0, 2);
          expect(Number.isFinite(intercept)).to.equal(true);
        }
        for (const { first, second, probability, rate } of snapshot.copies) {
          expect(first < second).to.equal(true);
          expect(probability).to.be.within(0, 1);
          expect(rate).to.be.within(0, 1);
        }
      }),
    );
  });

  it('keeps the initial accuracy of 0.8 when there is nothing to compare', () => {
    const alone = { key: 'cus_1/city', claims: [{ ...ONE, source: 'crm' }] };
    const snapshot = learn([alone]);
    expect(snapshot).to.deep.include({ facts: 0, claims: 0, sources: [], copies: [] });
    expect(snapshot.unknownSource.accuracy).to.be.closeTo(0.8, 1e-9);
  });

  it('distinguishes copiers from sources that agree because both are right', () => {
    const copied = learn(generateScenario(SCENARIOS['copiers'] ?? NOTHING, 11, 800));
    const ofFeeds = copied.feeds.reduce((sum, feed) => sum + (feed.length * (feed.length - 1)) / 2, 0);
    expect(copied.copies.filter(({ probability }) => probability > 0.9).length + ofFeeds).to.be.within(8, 12);
    const clean = learn(generateScenario(NOTHING, 11, 800));
    expect(clean).to.deep.include({ copies: [], feeds: [] });
    expect(clean.model.dependence).to.equal('independent');
  });

  it('keeps a bounded sample that does not depend on order', () => {
    const facts = generateScenario(NOTHING, 3, 400);
    // Of twenty attributes with five values each, few facts are in the sample.
    const few = facts.map((fact, index) => ({
      ...fact,
      claims: fact.claims.map((one) =>
        index < 100 ? { ...one, attribute: `rare ${index % 20}`, value: `value ${index}` } : one,
      ),
    }));
    const read = (order: readonly ClaimedFact[]) => {
      const table = new ClaimTable({}, 300);
      for (const { key, claims } of order) table.addFact(key, claims);
      const { starts, distinctOf } = table.read();
      return { starts: [...starts], distinctOf: [...distinctOf] };
    };
    const kept = read(few);
    expect(kept.starts.at(-1)).to.be.within(80, 300);
    expect(read(few.toReversed())).to.deep.equal(kept);
  });

  it('counts no claim that its source has replaced', () => {
    const facts = Array.from({ length: 30 }, (_, index): ClaimedFact => {
      const claims = [
        { ...ONE, source: 'a', value: 'x', observedAt: '2024-01-01T00:00:00.000Z' },
        { ...ONE, source: 'a', value: ['x'] },
        { ...ONE, source: 'b', value: ['x', 'y'] },
      ];
      return { key: `f${index}`, claims };
    });
    expect(learnAccuracies(facts, {}, 1).sources, 'sets are no evidence').to.deep.equal([]);
  });

  it('learns the same in small steps as at once', () => {
    const facts = generateScenario(SCENARIOS['all'] ?? NOTHING, 5, 100);
    const table = new ClaimTable({});
    for (const { key, claims } of facts) table.addFact(key, claims);
    let snapshot;
    // Seven facts at a time.
    for (const learning = learnSnapshot(table.read(), 1, 7); snapshot === undefined;)
      snapshot = learning.next().value;
    expect(snapshot).to.deep.equal(learnAccuracies(facts, {}, 1));
  });
});

const NOTHING = { copiers: false, drift: false, overconfident: false };

const ONE = {
  id: 'clm_1',
  attribute: 'city',
  value: 'Paris',
  observedAt: '2025-01-01T00:00:00.000Z',
  sequence: 1,
  confidence: 0.9,
};
