import { expect } from 'chai';
import fc from 'fast-check';
import { HalfLives } from '../../../src/domain/resolution/HalfLives.js';
import { parseSnapshot } from '../../../src/domain/resolution/parseSnapshot.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import type {
  AccuracySnapshot,
  AttributeRule,
  ResolutionClaim,
} from '../../../src/domain/resolution/types.js';
import { Random } from '../../../bench/resolution/Random.js';
import { learnAccuracies } from '../../support/learnAccuracies.js';
import type { ClaimedFact } from '../../support/learnAccuracies.js';
import { claimsOfFact, NOW } from './arbitraries.js';

const STEADY: AttributeRule = { halfLifeDays: Infinity };

interface Dataset {
  /** Per source: how often it is right, by attribute. */
  accuracies: number[][];
  /** Sources from this place on republish one feed, which is right this often. */
  feed?: { from: number; accuracy: number };
  facts: number;
}

/** Facts of two attributes, 20 values, and every source claiming each with probability 0.7. */
function factsOf({ accuracies, feed, facts }: Dataset, seed = 1): (ClaimedFact & { truth: string })[] {
  const random = new Random(seed);
  return Array.from({ length: facts }, (_, number) => {
    const attribute = number % 2;
    const truth = random.below(20);
    const say = (accuracy: number): number =>
      random.next() < accuracy ? truth : (truth + 1 + random.below(19)) % 20;
    const fed = say(feed?.accuracy ?? 0);
    const claims = accuracies.flatMap((byAttribute, source): ResolutionClaim[] => {
      const own = say(byAttribute[attribute] ?? 0);
      const value = feed !== undefined && source >= feed.from && random.next() < 0.95 ? fed : own;
      return random.next() < 0.7 ? [claimOf(`s${source}`, `v${value}`, attribute, number)] : [];
    });
    return { key: `f${number}`, claims, truth: `v${truth}` };
  });
}

function claimOf(source: string, value: string, attribute: number, number: number): ResolutionClaim {
  return {
    id: `${source}-${number}`,
    attribute: `a${attribute}`,
    value,
    source,
    observedAt: '2025-06-01T00:00:00.000Z',
    sequence: number,
    confidence: 0.9,
  };
}

function learn(facts: Iterable<ClaimedFact>, rule = STEADY): AccuracySnapshot {
  return learnAccuracies(facts, { '*': rule }, 1);
}

function accuracyOf(facts: readonly (ClaimedFact & { truth: string })[], snapshot: AccuracySnapshot): number {
  const known = facts.filter(({ claims }) => claims.length > 0);
  const right = known.filter(
    ({ claims, truth }) => resolveFact(claims, snapshot, STEADY, NOW).resolvedValue === truth,
  );
  return right.length / known.length;
}

function even(sources: number, accuracy: number): number[][] {
  return Array.from({ length: sources }, () => [accuracy, accuracy]);
}

describe('The learned model', () => {
  it('finds a feed that is mostly wrong and does not follow it', () => {
    const facts = factsOf({ accuracies: even(12, 0.7), feed: { from: 7, accuracy: 0.4 }, facts: 1000 });
    const snapshot = learn(facts);
    expect(snapshot.model.dependence).not.to.equal('independent');
    expect(snapshot.model.gain).to.be.greaterThan(0);
    expect(accuracyOf(facts, snapshot)).to.be.greaterThan(0.95);
  });

  it('follows a feed that is right against sources that differ', () => {
    const facts = factsOf({ accuracies: even(12, 0.5), feed: { from: 7, accuracy: 0.9 }, facts: 1000 });
    expect(accuracyOf(facts, learn(facts))).to.be.greaterThan(0.9);
  });

  it('treats good sources as independent', () => {
    const snapshot = learn(factsOf({ accuracies: even(8, 0.97), facts: 1000 }));
    expect(snapshot).to.deep.include({ copies: [], feeds: [] });
  });

  it('learns accuracies by attribute only when sources differ by attribute', () => {
    const split = [...even(4, 0.8), ...Array.from({ length: 4 }, () => [0.95, 0.3])];
    const byAttribute = learn(factsOf({ accuracies: split, facts: 1000 }));
    expect(byAttribute.model.byAttribute).to.equal(true);
    const offset = (attribute: string): number =>
      byAttribute.offsets.find((row) => row.source === 's7' && row.attribute === attribute)?.offset ?? 0;
    expect(offset('a0') - offset('a1')).to.be.greaterThan(1.5);
    expect(learn(factsOf({ accuracies: even(8, 0.7), facts: 1000 })).model.byAttribute).to.equal(false);
  });

  it('contains the evidence of its choice', () => {
    const snapshot = learn(
      factsOf({ accuracies: even(10, 0.7), feed: { from: 6, accuracy: 0.6 }, facts: 600 }),
    );
    expect(snapshot.heldOut).to.be.greaterThan(1000);
    const [first] = snapshot.evidence;
    const chosen = snapshot.evidence.find(
      ({ dependence, byAttribute }) =>
        dependence === snapshot.model.dependence && byAttribute === snapshot.model.byAttribute,
    );
    expect(first).to.deep.include({ dependence: 'independent', byAttribute: false });
    expect((chosen?.score ?? 0) - (first?.score ?? 0)).to.be.closeTo(snapshot.model.gain, 1e-9);
  });

  it('has low confidence when all sources waver between two values', () => {
    const random = new Random(7);
    const facts = Array.from({ length: 1500 }, (_, number) => {
      // Each fact has its own share of sources that say one thing, the others say another: nobody can know.
      const share = random.next();
      const claims = Array.from({ length: 10 }, (_, source) =>
        claimOf(`s${source}`, random.next() < share ? 'x' : `y${number % 7}`, 0, number),
      );
      return { key: `f${number}`, claims };
    });
    const snapshot = learn(facts);
    const six = Array.from({ length: 10 }, (_, source) =>
      claimOf(`s${source}`, source < 6 ? 'x' : 'y1', 0, 0),
    );
    expect(resolveFact(six, snapshot, STEADY, NOW).confidence).to.be.lessThan(0.9);
    const believed = resolveFact(
      six,
      { ...snapshot, calibration: [], attributes: [] },
      STEADY,
      NOW,
    ).confidence;
    expect(believed).to.be.greaterThan(0.98);
  });

  it('is the same for any order of facts, with repeats and several attributes', () => {
    const facts = factsOf({ accuracies: even(6, 0.7), feed: { from: 3, accuracy: 0.6 }, facts: 60 });
    fc.assert(
      fc.property(fc.array(claimsOfFact, { maxLength: 6 }), fc.integer(), (more, seed) => {
        const all = [...facts, ...more.map((claims, index): ClaimedFact => ({ key: `m${index}`, claims }))];
        const shuffled = new Random(seed).shuffled(all);
        expect(learn(shuffled, {})).to.deep.equal(learn(all, {}));
      }),
      { numRuns: 10 },
    );
  });

  it('is read from a snapshot of the first format and resolves as before', () => {
    const old = JSON.stringify({
      version: 3,
      facts: 2,
      claims: 4,
      unknownSource: { intercept: 1, slope: 0.5, accuracy: 0.73 },
      falseAgreement: 0.2,
      attributes: [{ attribute: 'a0', falseAgreement: 0.25 }],
      sources: [{ source: 's0', intercept: 3, slope: 0, accuracy: 0.95, claims: 400 }],
      copies: [{ first: 's1', second: 's2', probability: 1, rate: 0.9 }],
    });
    const snapshot = parseSnapshot(old);
    expect(snapshot).to.deep.include({
      format: 2,
      version: 3,
      hardShare: 0,
      offsets: [],
      feeds: [],
      calibration: [],
    });
    const claims = [claimOf('s0', 'x', 0, 1), claimOf('s1', 'y', 0, 2), claimOf('s2', 'y', 0, 3)];
    const fact = resolveFact(claims, snapshot, STEADY, NOW);
    expect(fact.resolvedValue).to.equal('x');
    expect(fact.alternatives[0]?.reason).to.equal('copied_source');
    expect(parseSnapshot(JSON.stringify(snapshot))).to.deep.equal(snapshot);
  });
});

describe('HalfLives', () => {
  function learned(halfLifeDays: number, contradiction: number): number | undefined {
    const random = new Random(11);
    const halfLives = new HalfLives();
    for (let number = 0; number < 2000; number += 1) {
      const days = 1000 * random.next() ** 2;
      const stays = halfLifeDays === Infinity || random.next() < 2 ** (-days / halfLifeDays);
      halfLives.addRepeat('plan', days, stays && random.next() >= contradiction ? 0 : Infinity);
    }
    return halfLives.of('plan', 0);
  }

  it('learns the half-life of values from changed repeats even when sources err', () => {
    expect(learned(60, 0)).to.be.within(42, 85);
    expect(learned(250, 0.1)).to.be.within(176, 354);
    expect(learned(Infinity, 0)).to.be.greaterThan(20_000);
    expect(learned(Infinity, 0.1)).to.be.greaterThan(3000);
  });

  it('learns the same where sources send again what they sent last', () => {
    const random = new Random(3);
    const dayMs = 86_400_000;
    const facts = Array.from({ length: 200 }, (_, number) => {
      const days = 20 + random.below(200);
      const changed = random.next() > 2 ** (-days / 60);
      const claims = ['s0', 's1'].flatMap((source) => {
        const last = { ...claimOf(source, changed ? 'new' : 'old', 0, number), sequence: 2 };
        const observedAt = new Date(Date.parse(last.observedAt) - days * dayMs).toISOString();
        return [{ ...last, value: 'old', observedAt, sequence: 1 }, last];
      });
      return { key: `f${number}`, claims };
    });
    const again = facts.map(({ key, claims }) => ({
      key,
      claims: [...claims, ...claims.map((claim) => ({ ...claim, sequence: claim.sequence + 2 }))],
    }));
    const learnedFrom = (of: ClaimedFact[]): AccuracySnapshot => learnAccuracies(of, {}, 1);
    expect(learnedFrom(facts).attributes[0]?.halfLifeDays).to.be.within(40, 90);
    expect(learnedFrom(again)).to.deep.equal(learnedFrom(facts));
  });

  it('keeps the default when repeats are few or agree with it', () => {
    const halfLives = new HalfLives();
    for (let number = 0; number < 19; number += 1) halfLives.addRepeat('plan', 400, 0);
    expect(halfLives.of('plan', 0)).to.equal(undefined);
    expect(learned(730, 0)).to.equal(undefined);
    expect(halfLives.of('city', 0)).to.equal(undefined);
  });
});
