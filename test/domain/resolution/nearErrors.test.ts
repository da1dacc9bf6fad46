import { expect } from 'chai';
import fc from 'fast-check';
import { FactSmoother } from '../../../src/domain/resolution/FactSmoother.js';
import { groupPlaces } from '../../../src/domain/resolution/groupPlaces.js';
import type { JsonValue } from '../../../src/domain/jsonValue.js';
import { NEAR_DOMAIN, NearErrors, slotOf } from '../../../src/domain/resolution/NearErrors.js';
import { Neighbourhood } from '../../../src/domain/resolution/Neighbourhood.js';
import { parseSnapshot } from '../../../src/domain/resolution/parseSnapshot.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import { SHIFTS } from '../../../src/domain/resolution/reliabilityIn.js';
import { TruthFilter } from '../../../src/domain/resolution/truthFilter.js';
import type {
  AccuracySnapshot,
  AttributeRule,
  ResolutionClaim,
} from '../../../src/domain/resolution/types.js';
import { Random } from '../../../bench/resolution/Random.js';
import { learnAccuracies } from '../../support/learnAccuracies.js';
import type { ClaimedFact } from '../../support/learnAccuracies.js';
import { NOW } from './arbitraries.js';

const RULE: AttributeRule = { halfLifeDays: Infinity };

function claimOf(source: string, attribute: string, value: JsonValue): ResolutionClaim {
  const observedAt = '2025-06-01T00:00:00.000Z';
  return { id: source, attribute, value, source, observedAt, sequence: 1, confidence: 0.9 };
}

interface Said {
  attribute?: string;
  facts?: number;
  say: (truth: number, random: Random, source: number) => JsonValue;
}

interface KnownFact extends ClaimedFact {
  truth: number;
}

/** Facts of eight sources, each of which says its value of the truth. */
function factsOf({ attribute = 'degrees', facts = 600, say }: Said, seed = 7): KnownFact[] {
  const random = new Random(seed);
  return Array.from({ length: facts }, (_, number) => {
    const truth = 20 + random.below(60);
    const claims = Array.from({ length: 8 }, (_, source) =>
      claimOf(`s${source}`, attribute, say(truth, random, source)),
    );
    return { key: `${attribute}-${number}`, claims, truth };
  });
}

function learn(facts: readonly ClaimedFact[], rule = RULE): AccuracySnapshot {
  return learnAccuracies(facts, { '*': rule }, 1);
}

function shareRight(facts: readonly KnownFact[], snapshot: AccuracySnapshot): number {
  const right = facts.filter(({ claims, truth }) => {
    return String(resolveFact(claims, snapshot, RULE, NOW).resolvedValue) === String(truth);
  });
  return right.length / facts.length;
}

const measured: Said = { say: (truth, random) => String(Math.round(truth + 1.2 * random.normal())) };
const spelled: Said = { ...measured, say: (...from) => `about ${String(measured.say(...from))}` };

/** As `measured` and `spelled`, each truth spelled as its claims are. */
function bothShares(): [number, number] {
  const facts = factsOf(measured);
  const names = facts.map(({ key, claims }) => ({
    key,
    claims: claims.map((claim) => ({ ...claim, value: `about ${String(claim.value)}` })),
  }));
  const snapshot = learn(names);
  const right = facts.filter(({ truth }, index) => {
    const resolved = resolveFact(names[index]?.claims ?? [], snapshot, RULE, NOW);
    return resolved.resolvedValue === `about ${truth}`;
  });
  return [shareRight(facts, learn(facts)), right.length / facts.length];
}

const shares = fc
  .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 13, maxLength: 13 })
  .map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const [even = 0, ...near] = weights.map((weight) => weight / total);
    return { even, near };
  });

const errors = fc.tuple(shares, shares).map((kinds) => new NearErrors(kinds));

describe('Errors near the truth', () => {
  it('are learned of numbers, also in texts, and make more facts right', () => {
    const [near, even] = bothShares();
    expect(near).to.be.greaterThan(even + 0.1);
    expect(learn(factsOf(measured)).attributes[0]?.errors?.step).to.equal(1);
    expect(learn(factsOf(spelled)).attributes[0]?.errors).to.equal(undefined);
  });

  it('are learned with the share of wrong claims at each distance', () => {
    const say: Said['say'] = (truth, random) => {
      if (random.next() < 0.6) return truth;
      const off = random.next() < 0.75 ? 1 : 2;
      return random.next() < 0.5 ? truth - off : truth + off;
    };
    const [attribute] = learn(factsOf({ say })).attributes;
    const { even = 1, near = [] } = attribute?.errors?.shares[0] ?? {};
    expect(near[0]).to.be.within(0.7, 0.8);
    expect(near[1]).to.be.within(0.2, 0.3);
    expect(even).to.be.lessThan(0.02);
  });

  it('are not assumed where wrong numbers lie anywhere, nor of few facts', () => {
    const anywhere: Said = {
      say: (truth, random) => (random.next() < 0.6 ? truth : 20 + random.below(60)),
    };
    expect(learn(factsOf(anywhere)).attributes[0]?.errors).to.equal(undefined);
    expect(learn(factsOf({ ...measured, facts: 99 })).attributes[0]?.errors).to.equal(undefined);
  });

  it('are assumed in the attributes where they predict better, and only there', () => {
    const code: Said = {
      attribute: 'code',
      say: (truth, random) => (random.next() < 0.6 ? truth : 20 + random.below(60)),
    };
    const { attributes } = learn([...factsOf(measured), ...factsOf(code, 8)]);
    expect(attributes.filter(({ errors }) => errors !== undefined).map((row) => row.attribute)).to.deep.equal(
      ['degrees'],
    );
  });

  it('are measured in steps of the finest unit, or of a tolerance', () => {
    const number: AttributeRule = { ...RULE, type: 'number' };
    for (const [tolerance, step] of [
      [0, 0.1],
      [0.2, 0.2],
    ] as const) {
      const say: Said['say'] = (truth, random) => Math.round(10 * truth + 12 * step * random.normal()) / 10;
      expect(learn(factsOf({ say }), { ...number, tolerance }).attributes[0]?.errors?.step).to.equal(step);
    }
  });

  it('leave a single claim the confidence of how often its source is right', () => {
    const say: Said['say'] = (truth, random) => Math.round(truth + 1.2 * random.normal());
    const facts = factsOf({ say });
    const snapshot = learn(facts);
    expect(snapshot.attributes[0]?.errors).not.to.equal(undefined);
    const alone = facts.map(({ claims, truth }) => ({ key: '', claims: claims.slice(0, 1), truth }));
    const [fact] = alone.map(({ claims }) => resolveFact(claims, snapshot, RULE, NOW));
    const { reliability } = fact?.explanation.shares[0] ?? { reliability: 0 };
    expect(fact?.confidence).to.be.closeTo(reliability, 0.02);
    expect(shareRight(alone, snapshot)).to.be.closeTo(reliability, 0.1);
  });

  it('have a snapshot that depends on the set of claims alone', () => {
    const facts = factsOf(measured);
    const reversed = facts.toReversed().map(({ key, claims }) => ({ key, claims: claims.toReversed() }));
    expect(learn(reversed)).to.deep.equal(learn(facts));
  });

  it('leave an explanation that adds up', () => {
    const facts = factsOf(measured);
    const snapshot = learn(facts);
    for (const { claims } of facts.slice(0, 100)) {
      const fact = resolveFact(claims, snapshot, RULE, NOW);
      const { prior, change, calibration, normalisation, omitted, shares: told, logOdds } = fact.explanation;
      const sum = told.reduce((total, share) => total + share.logOdds, 0);
      expect(prior + change + calibration + normalisation + omitted + sum).to.be.closeTo(logOdds, 1e-9);
      expect(change).to.be.closeTo(0, 1e-9);
    }
  });

  it('are unknown to an older snapshot, which judges as before', () => {
    const facts = factsOf(measured);
    const learned = learn(facts);
    const attributes = learned.attributes.map((row) => ({ ...row, errors: undefined }));
    const older = parseSnapshot(JSON.stringify({ ...learned, attributes }));
    expect(shareRight(facts, parseSnapshot(JSON.stringify(learned)))).to.equal(shareRight(facts, learned));
    expect(shareRight(facts, older)).to.be.lessThan(shareRight(facts, learned));
  });

  it('are learned in spite of absurd numbers, which harm no other fact', () => {
    const facts = factsOf(measured);
    const absurd = facts.map((fact, index) => {
      if (index % 40 !== 0) return fact;
      return {
        ...fact,
        claims: [...fact.claims, claimOf('absurd', 'degrees', index % 80 === 0 ? 1e308 : -1e308)],
      };
    });
    const snapshot = learn(absurd);
    expect(JSON.stringify(snapshot)).to.not.include('null,').and.not.include(':null');
    expect(snapshot.attributes[0]?.errors, 'errors near the truth').to.not.equal(undefined);
    expect(shareRight(facts, snapshot)).to.be.closeTo(shareRight(facts, learn(facts)), 0.02);
  });

  it('have probabilities that sum to one, over all values', () => {
    fc.assert(
      fc.property(errors, fc.constantFrom(...SHIFTS.keys()), (known, kind) => {
        const chance = (steps: number): number => known.chances(kind)[slotOf(steps)] ?? Number.NaN;
        const anywhere = chance(Number.NaN);
        let sum = (NEAR_DOMAIN - 1) * anywhere;
        for (let steps = 1; steps <= 2048; steps += 1) sum += 2 * (chance(steps) - anywhere);
        expect(sum).to.be.closeTo(1, 1e-9);
        expect(chance(2049)).to.equal(anywhere);
      }),
      { numRuns: 20 },
    );
  });
});

describe('Neighbourhood', () => {
  it('has a state for each claimed value, for what lies between and beside them, and for the rest', () => {
    const near = new Neighbourhood();
    const bins = [0.3, 0.2, 0.2, ...Array.from({ length: 9 }, () => 0)];
    near.arrange([10, 11, 15, Number.NaN], 4, new NearErrors([0, 1].map(() => ({ even: 0.3, near: bins }))));
    expect(near.states).to.equal(12);
    const prior = [...near.prior.subarray(0, near.states)].map((each) => Math.round(each * NEAR_DOMAIN));
    expect(prior).to.deep.equal([1, 1, 1, 1, 3, 1, 1, 1, 1, 2, 2, 985]);
    const slots = [3, 1, 6, 2, 7, Number.NaN].map((steps) => slotOf(steps));
    expect([4, 5, 6, 7, 8, 11].map((state) => near.slot(0, state))).to.deep.equal(slots);
    expect(near.miss(0, 0, 1)).to.equal(near.miss(0, 1, 0));
    expect(near.miss(0, 0, 1)).to.be.greaterThan(near.miss(0, 0, 4));
    expect(near.miss(0, 0, 11)).to.equal(near.miss(0, 3, 0));
  });

  it('has the values near each claim, and no others, however far a claim lies from the rest', () => {
    const bins = [0.3, 0.2, 0.2, ...Array.from({ length: 9 }, () => 0)];
    const errors = new NearErrors([0, 1].map(() => ({ even: 0.3, near: bins })));
    const arranged = (...places: number[]): Neighbourhood => {
      const near = new Neighbourhood();
      near.arrange(places, places.length, errors);
      return near;
    };
    const close = arranged(10, 100);
    for (const far of [1e6, 1e12, -1e15, 1e300]) {
      const near = arranged(10, far);
      expect(near.states, String(far)).to.equal(close.states);
      expect(near.prior[0], String(far)).to.equal(close.prior[0]);
    }
  });

  it('is judged alike in learning and in resolving', () => {
    const claims = fc.array(
      fc.record({
        group: fc.nat({ max: 2 }),
        day: fc.integer({ min: 0, max: 900 }),
        logOdds: fc.double({ min: -3, max: 5, noNaN: true }),
        copied: fc.constantFrom(0, 0, 0.4, 1),
      }),
      { minLength: 1, maxLength: 300 },
    );
    const places = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN)), {
      minLength: 3,
      maxLength: 3,
    });
    const halfLives = fc.constantFrom(30, Infinity);
    fc.assert(
      fc.property(claims, places, errors, halfLives, (unordered, at, known, halfLifeDays) => {
        const ordered = unordered.toSorted((a, b) => a.day - b.day);
        const near = new Neighbourhood();
        near.arrange(at, 3, known);
        const common = { groups: 3, domain: NEAR_DOMAIN, halfLifeDays, near };
        const smoother = new FactSmoother(
          Int32Array.from(ordered, ({ group }) => group),
          Float64Array.from(ordered, ({ day }) => day),
        );
        smoother.smooth(
          { start: 0, size: ordered.length, ...common },
          Float64Array.from(ordered, ({ logOdds }) => logOdds),
          Float64Array.from(ordered, ({ copied }) => copied),
          0.3,
        );
        const filter = new TruthFilter({ ...common, hardShare: 0.3 });
        let day = ordered[0]?.day ?? 0;
        for (const claim of ordered) {
          filter.elapse(claim.day - day);
          filter.observe(claim);
          day = claim.day;
        }
        for (let state = 0; state < near.states; state += 1)
          expect(smoother.state(ordered.length - 1, state)).to.be.closeTo(filter.probability(state), 1e-9);
      }),
    );
  });
});

describe('groupPlaces', () => {
  it('takes the number of the finest unit, whatever the order', () => {
    const claims = [
      { group: 0, number: 120, unit: 10 },
      { group: 0, number: 123, unit: 0 },
      { group: 0, number: 122, unit: 0 },
      { group: 1, number: Number.NaN, unit: 0 },
    ];
    for (const ordered of [claims, claims.toReversed()])
      expect([...groupPlaces(ordered, 2, 0.5)]).to.deep.equal([244, Number.NaN]);
  });

  it('has no place for numbers whose steps cannot be told apart', () => {
    const numbers = [1e300, -1.5e308, 1e15, -1e15];
    const claims = numbers.map((number, group) => ({ group, number, unit: 0 }));
    expect([...groupPlaces(claims, 4, 1e-6)]).to.deep.equal([NaN, NaN, NaN, NaN]);
    expect([...groupPlaces(claims, 4, 1)]).to.deep.equal([NaN, NaN, 1e15, -1e15]);
  });
});
