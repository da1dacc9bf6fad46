import { expect } from 'chai';
import fc from 'fast-check';
import { decimalPower } from '../../../src/domain/resolution/decimalPower.js';
import { groupByNumber } from '../../../src/domain/resolution/groupByNumber.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import type {
  AccuracySnapshot,
  AttributeRule,
  ResolutionClaim,
} from '../../../src/domain/resolution/types.js';
import { Random } from '../../../bench/resolution/Random.js';
import { learnAccuracies } from '../../support/learnAccuracies.js';
import type { ClaimedFact } from '../../support/learnAccuracies.js';
import { NOW } from './arbitraries.js';

const NUMBER: AttributeRule = { type: 'number', halfLifeDays: Infinity };

function claimOf(source: string, value: number | string): ResolutionClaim {
  const observedAt = '2025-06-01T00:00:00.000Z';
  return {
    id: `${source}-${value}`,
    attribute: 'size',
    value,
    source,
    observedAt,
    sequence: 1,
    confidence: 0.9,
  };
}

/** Facts of six sources, each of which says its number of the truth. */
function learn(
  say: (truth: number, source: number, random: Random) => number,
  rule = NUMBER,
): AccuracySnapshot {
  const random = new Random(5);
  const facts = Array.from({ length: 200 }, (_, number): ClaimedFact => {
    const truth = 1000 + random.below(99_000);
    const claims = Array.from({ length: 6 }, (_, source) =>
      claimOf(`s${source}`, say(truth, source, random)),
    );
    return { key: `f${number}`, claims };
  });
  return learnAccuracies(facts, { '*': rule }, 1);
}

const anyClaims = fc.array(
  fc.record({
    number: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(Number.NaN)),
    unit: fc.constantFrom(0, 0, 5, 10),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('Numbers without a configured tolerance', () => {
  it('agree with the values of a source that is known to round', () => {
    const snapshot = learn((truth, source) => (source < 3 ? Math.round(truth / 1000) * 1000 : truth));
    const [attribute] = snapshot.attributes;
    expect(attribute?.numbers).to.deep.equal({
      tolerance: 0,
      units: ['s0', 's1', 's2'].map((source) => ({ source, unit: 1000 })),
    });
    const claims = [claimOf('s0', 8000), claimOf('s1', '8,000'), claimOf('s4', 8123), claimOf('s5', 9124)];
    const fact = resolveFact(claims, snapshot, NUMBER, NOW);
    expect(fact.resolvedValue).to.equal(8123);
    expect(fact.evidence).to.have.length(3);
    expect(fact.alternatives).to.have.length(1);
    const either = [claimOf('s0', 8000), claimOf('s4', 8123), claimOf('s5', 8124)];
    expect(resolveFact(either, snapshot, NUMBER, NOW).alternatives).to.have.length(2);
    const exact = resolveFact([claimOf('s4', 8000), claimOf('s5', 8123)], snapshot, NUMBER, NOW);
    expect(exact.alternatives).to.have.length(1);
  });

  it('are not taken for rounded because they are small', () => {
    const fractions = learn((truth, source) =>
      source === 0 ? truth / 1000 : Math.round(truth / 1000) / 100,
    );
    const units = fractions.attributes[0]?.numbers?.units ?? [];
    for (const { unit } of units) expect(unit).to.be.at.most(0.01);
    const small = [0.67, 0.67, 0.67, 59.2].map((value, source) => claimOf(`s${source + 1}`, value));
    const fact = resolveFact(small, fractions, NUMBER, NOW);
    expect(fact).to.include({ resolvedValue: 0.67, resolutionMethod: 'accuracy_vote' });
  });

  it('are known to be rounded however large they are', () => {
    const offset = 1_700_000_000_000;
    const snapshot = learn((truth, source) =>
      source < 3 ? offset + Math.round(truth / 1000) * 1000 : offset + truth,
    );
    expect(snapshot.attributes[0]?.numbers?.units).to.deep.equal(
      ['s0', 's1', 's2'].map((source) => ({ source, unit: 1000 })),
    );
    const claims = [0, 1, 4, 5].map((source) => claimOf(`s${source}`, offset + (source < 3 ? 8000 : 8123)));
    const fact = resolveFact(claims, snapshot, NUMBER, NOW);
    expect(fact).to.include({ resolvedValue: offset + 8123, resolutionMethod: 'consensus' });
  });

  it('agree within the spread of measurements that rarely repeat', () => {
    const snapshot = learn((truth, _, random) => truth + Math.round(1000 * random.normal()) / 1000);
    expect(snapshot.attributes[0]?.numbers?.tolerance).to.be.within(1.5, 4);
    const claims = [claimOf('s0', 500.1), claimOf('s1', 500.9), claimOf('s2', 700)];
    expect(resolveFact(claims, snapshot, NUMBER, NOW).evidence).to.have.length(2);
  });

  it('have not changed where a source measures again, within that spread', () => {
    const random = new Random(7);
    const dayMs = 86_400_000;
    const measured = (value: number, source: number, daysAgo: number): ResolutionClaim => ({
      ...claimOf(`s${source}`, value),
      id: `${source} ${daysAgo}`,
      observedAt: new Date(NOW.getTime() - daysAgo * dayMs).toISOString(),
    });
    const facts = Array.from({ length: 300 }, (_, number) => {
      const truth = 15 + random.below(500);
      const say = (): number => truth + Math.round(50 * random.normal()) / 100;
      const claims = Array.from({ length: 6 }, (_source, source) => {
        const daysAgo = 1 + random.below(60);
        const before = daysAgo + 30 + random.below(670);
        return [measured(say(), source, before), measured(say(), source, daysAgo)];
      });
      return { key: `f${number}`, claims: claims.flat(), truth };
    });
    const rule: AttributeRule = { type: 'number' };
    const snapshot = learnAccuracies(facts, { '*': rule }, 1);
    const [attribute] = snapshot.attributes;
    expect(attribute?.numbers?.tolerance).to.be.within(0.8, 2);
    expect(attribute?.halfLifeDays ?? Infinity).to.be.above(730);
    const resolved = facts.map(({ claims }) => resolveFact(claims, snapshot, rule, NOW).confidence);
    expect(resolved.reduce((sum, each) => sum + each, 0) / resolved.length).to.be.above(0.8);
    const moving = facts.map(({ key, claims }) => {
      const moved = random.next() < 0.8 ? 100 : 0;
      const value = (claim: ResolutionClaim, index: number): number =>
        Number(claim.value) + (index % 2 === 0 ? 0 : moved);
      return { key, claims: claims.map((claim, index) => ({ ...claim, value: value(claim, index) })) };
    });
    const changed = learnAccuracies(moving, { '*': rule }, 1).attributes[0];
    expect(changed?.halfLifeDays, 'what moves beyond it has changed').to.be.within(1, 500);
  });

  it('are compared exactly when sources repeat the same numbers or agree on nothing', () => {
    const exact = learn((truth, _, random) => (random.next() < 0.7 ? truth : truth + 1 + random.below(5)));
    expect(exact.attributes[0]?.numbers).to.equal(undefined);
    const nothing = learn((_, __, random) => 1000 + random.below(99_000));
    expect(nothing.attributes[0]?.numbers).to.equal(undefined);
  });

  it('use a configured tolerance instead of learning one', () => {
    const rule = { ...NUMBER, tolerance: 0 };
    const snapshot = learn((truth, source) => (source < 3 ? Math.round(truth / 1000) * 1000 : truth), rule);
    expect(snapshot.attributes[0]?.numbers).to.equal(undefined);
  });

  it('form groups that do not depend on order, with exact numbers within the tolerance', () => {
    fc.assert(
      fc.property(anyClaims, fc.integer({ min: 0, max: 6 }), fc.integer(), (unnamed, tolerance, seed) => {
        const claims = unnamed.map((claim, index) => ({ ...claim, canonical: `text ${index % 3}` }));
        const groups = groupByNumber(claims, tolerance);
        const order = new Random(seed).shuffled([...claims.keys()]);
        const others = groupByNumber(
          order.map((index) => claims[index] ?? { number: 0, unit: 0, canonical: '' }),
          tolerance,
        );
        for (const [place, index] of order.entries()) expect(others[place]).to.equal(groups[index]);
        expect([...new Set(groups)].toSorted((a, b) => a - b)).to.deep.equal(
          [...new Set(groups).keys()].map((_, i) => i),
        );
        for (const [a, first] of claims.entries()) {
          for (const [b, second] of claims.entries()) {
            if (first.number === second.number) expect(groups[a]).to.equal(groups[b]);
            const isExact =
              claims.every(({ unit }) => unit === 0) && !Number.isNaN(first.number + second.number);
            if (isExact && groups[a] === groups[b]) {
              expect(Math.abs(first.number - second.number)).to.be.at.most(tolerance);
            }
          }
        }
      }),
    );
  });
});

describe('The power of ten that divides a number', () => {
  const digits = fc
    .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 15 }))
    .map(([number, power]) => number % 10 ** power)
    .filter((number) => number > 0);
  const sign = fc.constantFrom(1, -1);

  /** Of a whole number, by its digits. */
  const zerosOf = (number: number): number => /0*$/u.exec(BigInt(number).toString())?.[0].length ?? 0;

  it('is that of its digits, for whole numbers up to 10^15 and their multiples', () => {
    fc.assert(
      fc.property(digits, sign, fc.integer({ min: 0, max: 9 }), (number, side, zeros) => {
        expect(decimalPower(side * number)).to.equal(Math.min(9, zerosOf(number)));
        const multiple = number * 10 ** zeros;
        if (Number.isSafeInteger(multiple))
          expect(decimalPower(multiple)).to.equal(Math.min(9, zerosOf(multiple)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is that of its digits, for decimals of up to fifteen digits, as written and as summed', () => {
    fc.assert(
      fc.property(digits, sign, fc.integer({ min: 0, max: 6 }), (number, side, places) => {
        const power = Math.min(9, zerosOf(number) - places);
        expect(decimalPower(side * Number(`${number}e-${places}`))).to.equal(power);
      }),
      { numRuns: 2000 },
    );
    for (const [sum, power] of [
      [0.1 + 0.2, -1],
      [0.7 + 0.1, -1],
      [1.1 + 2.2, -1],
      [1.15 + 2.3, -2],
      [4.35 * 100, 0],
      [0.57 * 1000, 1],
      [1_700_000_000.1 + 0.02, -2],
    ] as const)
      expect(decimalPower(sum), String(sum)).to.equal(power);
  });

  it('is no greater for numbers with more digits than can be told', () => {
    for (const number of [1e15 + 0.5, 1e10 + 0.123456, 2 ** 51 + 0.5, Math.PI, 1e6 / 7, 1e9 / 7])
      expect(decimalPower(number), String(number)).to.be.below(0);
    expect(decimalPower(1.7e308)).to.equal(9);
  });
});
