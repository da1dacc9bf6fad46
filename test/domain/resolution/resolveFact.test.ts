import { expect } from 'chai';
import fc from 'fast-check';
import { initialAccuracies } from '../../../src/domain/resolution/initialAccuracies.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import type { JsonValue } from '../../../src/domain/jsonValue.js';
import type {
  AccuracySnapshot,
  AttributeRule,
  ResolutionClaim,
} from '../../../src/domain/resolution/types.js';
import { anyAccuracies, anyRule, claimsOfFact, NOW } from './arbitraries.js';

const STEADY: AttributeRule = { halfLifeDays: Infinity };

let count = 0;

function claim(source: string, value: JsonValue, fields: Partial<ResolutionClaim> = {}): ResolutionClaim {
  count += 1;
  const id = `clm_${count}`;
  const observedAt = '2025-12-01T00:00:00.000Z';
  return { id, attribute: 'city', value, source, observedAt, sequence: count, confidence: 0.9, ...fields };
}

function learned(
  fields: Partial<AccuracySnapshot> & { accuracies?: Record<string, number> },
): AccuracySnapshot {
  const { accuracies = {}, ...rest } = fields;
  const sources = Object.entries(accuracies).map(([source, accuracy]) => {
    return {
      source,
      accuracy,
      intercept: Math.log(accuracy / (1 - accuracy)),
      slope: 0,
      claims: 100,
    };
  });
  return { ...initialAccuracies(), version: 1, sources, ...rest };
}

function resolve(claims: ResolutionClaim[], rule: AttributeRule = STEADY, accuracies = initialAccuracies()) {
  return resolveFact(claims, accuracies, rule, NOW);
}

describe('resolveFact', () => {
  describe('with example claims', () => {
    it('gives a single source the initial confidence of 0.8', () => {
      const fact = resolve([claim('crm', 'Paris')]);
      expect(fact).to.include({ resolvedValue: 'Paris', resolutionMethod: 'single_source' });
      expect(fact.confidence).to.be.closeTo(0.8, 1e-9);
      expect(fact.alternatives).to.deep.equal([]);
    });

    it('uses a stated confidence with less than its full weight', () => {
      const [timid, bold] = [0.5, 1].map(
        (confidence) => resolve([claim('crm', 'Paris', { confidence })]).confidence,
      );
      expect(timid).to.be.within(0.5, 0.7);
      expect(bold).to.be.within(0.8, 0.95);
    });

    it('finds consensus among spellings', () => {
      const fact = resolve([claim('crm', ' PARIS'), claim('shop', 'Paris'), claim('app', 'paris')]);
      expect(fact.resolutionMethod).to.equal('consensus');
      expect(fact.confidence).to.be.greaterThan(0.99);
      expect(fact.evidence).to.have.length(3);
    });

    it('writes a value as most of its claims do, be it text or JSON of another type', () => {
      const written = (...values: JsonValue[]) =>
        resolve(values.map((value, index) => claim(`source${index}`, value))).resolvedValue;
      expect(written(7, 7, '7')).to.equal(7);
      expect(written('7', '7', 7)).to.equal('7');
      expect(written('FOO', 'Foo', 'Foo')).to.equal('Foo');
      expect(written(true, ' true ', true)).to.equal(true);
      expect(written({ a: 1 }, '{"a":1}', { a: 1 })).to.deep.equal({ a: 1 });
    });

    it('resolves to the value of two sources against one, which becomes an alternative', () => {
      const fact = resolve([claim('crm', 'Lyon'), claim('shop', 'Paris'), claim('app', 'Paris')]);
      expect(fact).to.include({ resolvedValue: 'Paris', resolutionMethod: 'accuracy_vote' });
      expect(fact.alternatives).to.have.length(1);
      expect(fact.alternatives[0]).to.include({ value: 'Lyon', reason: 'lower_confidence' });
    });

    it('resolves to the value of one accurate source against two inaccurate ones', () => {
      const accuracies = learned({ accuracies: { crm: 0.97, shop: 0.4, app: 0.4 } });
      const claims = [claim('crm', 'Lyon'), claim('shop', 'Paris'), claim('app', 'Paris')];
      const fact = resolve(claims, STEADY, accuracies);
      expect(fact.resolvedValue).to.equal('Lyon');
      expect(fact.alternatives[0]).to.include({ value: 'Paris', reason: 'less_accurate_source' });
    });

    it('gives a suspected copy little weight and names it in the explanation', () => {
      const accuracies = learned({
        accuracies: { crm: 0.85, shop: 0.8, app: 0.8 },
        copies: [{ first: 'app', second: 'shop', probability: 1, rate: 0.95 }],
      });
      const claims = [claim('crm', 'Lyon'), claim('shop', 'Paris'), claim('app', 'Paris')];
      const fact = resolve(claims, STEADY, accuracies);
      expect(fact.resolvedValue).to.equal('Lyon');
      expect(fact.alternatives[0]?.reason).to.equal('copied_source');
      const copy = fact.explanation.shares.find(({ copying }) => copying !== null);
      expect(copy?.copying?.probability).to.be.closeTo(0.95, 1e-9);
    });

    it('prefers the newer of two equal claims and gives the reason', () => {
      const claims = [
        claim('crm', 'Paris', { observedAt: '2023-01-01T00:00:00.000Z' }),
        claim('shop', 'Lyon'),
      ];
      const fact = resolve(claims, {});
      expect(fact.resolvedValue).to.equal('Lyon');
      expect(fact.alternatives[0]).to.include({ value: 'Paris', reason: 'older_observation' });
    });

    it('names no copying, and no difference in confidence, where values are equal', () => {
      const tie = resolve([claim('crm', 'Paris'), claim('shop', 'Lyon')]);
      expect(tie.alternatives[0]?.confidence).to.be.closeTo(tie.confidence, 1e-9);
      expect(tie.alternatives[0]?.reason).to.equal('lower_confidence');
      const older = { observedAt: '2019-01-01T00:00:00.000Z' };
      const steady = resolve([claim('crm', 'Paris', older), claim('shop', 'Lyon')]);
      expect(steady.resolvedValue).to.equal('Lyon');
      expect(steady.alternatives[0]).to.include({ value: 'Paris', reason: 'older_observation' });
    });

    it('weighs hundreds of claims alike, in whichever order they were observed', () => {
      const said = (count: number, value: string, year: number): ResolutionClaim[] =>
        Array.from({ length: count }, (_, index) =>
          claim(`${value} ${index}`, value, {
            observedAt: new Date(Date.UTC(year, 0, 1 + index)).toISOString(),
          }),
        );
      for (const [first, second] of [
        [220, 280],
        [249, 251],
        [251, 249],
      ] as const) {
        const winner = first > second ? 'Paris' : 'Lyon';
        for (const years of [
          [2001, 2005],
          [2005, 2001],
        ] as const) {
          const fact = resolve([...said(first, 'Paris', years[0]), ...said(second, 'Lyon', years[1])]);
          expect(fact.resolvedValue, `${first} ${second} ${years[0]}`).to.equal(winner);
        }
      }
    });

    it('explains facts of hundreds of claims in finite numbers that add up', () => {
      const sources = Array.from({ length: 400 }, (_, index) => claim(`s${index}`, 'Paris'));
      for (const claims of [sources, [...sources, claim('other', 'Lyon')]])
        for (const rule of [STEADY, {}]) {
          const { explanation, confidence } = resolve(claims, rule);
          const { prior, change, calibration, normalisation, omitted, shares } = explanation;
          const sum = shares.reduce((total, { logOdds }) => total + logOdds, 0);
          const total = prior + change + calibration + normalisation + omitted + sum;
          expect(total).to.be.closeTo(Math.log(confidence / (1 - confidence)), 1e-6);
        }
    });

    it('lists no array among the alternatives', () => {
      const fact = resolve([
        claim('crm', 'Lyon'),
        claim('app', 'Lyon'),
        claim('shop', ['Paris']),
        claim('till', 'Bonn'),
      ]);
      expect(fact.alternatives.map(({ value }) => value)).to.deep.equal(['Bonn']);
    });

    it('takes the newest value with the method most_recent against any majority', () => {
      const old = { observedAt: '2025-11-01T00:00:00.000Z' };
      const claims = [claim('crm', 'in', old), claim('shop', 'in', old), claim('app', 'out')];
      const fact = resolve(claims, { method: 'most_recent' });
      expect(fact).to.include({ resolvedValue: 'out', resolutionMethod: 'most_recent' });
    });

    it('orders observations ahead of the clock by their own times', () => {
      const rule = { method: 'most_recent', halfLifeDays: 30 } as const;
      const ahead = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();
      const claims = [
        claim('fast', 'a', { observedAt: ahead(10) }),
        claim('faster', 'b', { observedAt: ahead(60) }),
      ];
      const fact = resolve(claims, rule);
      expect(fact.resolvedValue).to.equal('b');
      expect(fact.alternatives.map(({ value, reason }) => [value, reason])).to.deep.equal([
        ['a', 'older_observation'],
      ]);
      const voted = resolve(claims, { halfLifeDays: 30 });
      expect(voted.confidence).to.be.closeTo(resolve(claims, STEADY).confidence, 1e-9);
    });

    it('counts of a source that corrects an observation ahead of the clock the correction', () => {
      const observedAt = '9999-12-31T23:59:59.000Z';
      const wrong = claim('typo', 'Atlantis', { observedAt, sequence: 1 });
      const right = claim('typo', 'Berlin', { observedAt, sequence: 2 });
      const fact = resolve([right, wrong, claim('gps', 'berlin')], { method: 'most_recent' });
      expect(fact).to.include({ resolvedValue: 'Berlin', resolutionMethod: 'most_recent' });
      expect(fact.alternatives).to.deep.equal([]);
    });

    it('calls no value older than one of the same time', () => {
      const fact = resolve([claim('a', 'x'), claim('b', 'y')], { method: 'most_recent' });
      expect(fact.alternatives.map(({ reason }) => reason)).to.deep.equal(['lower_confidence']);
    });

    it('unites what sources say now, whatever they said before', () => {
      const before = { observedAt: '2025-01-01T00:00:00.000Z' };
      const claims = [claim('a', 'x', before), claim('a', ['x']), claim('b', ['x', 'y'])];
      expect(resolve(claims)).to.deep.include({ resolvedValue: ['x', 'y'], resolutionMethod: 'union' });
    });

    it('unites arrays of strings as sets, without alternatives', () => {
      const fact = resolve([claim('crm', ['Jazz', 'rock']), claim('shop', ['jazz ', 'folk'])]);
      expect(fact.resolutionMethod).to.equal('union');
      expect(fact.resolvedValue).to.deep.equal(['folk', 'jazz', 'rock']);
      expect(fact.alternatives).to.deep.equal([]);
      expect(fact.confidence).to.be.within(0.8, 0.95);
    });

    it('gives the elements of a mostly wrong source the low confidence of that source', () => {
      const accuracies = learned({ accuracies: { broker: 0.2 } });
      const fact = resolve([claim('broker', ['Music', 'sport'])], { ...STEADY, method: 'union' }, accuracies);
      expect(fact.confidence).to.be.closeTo(0.2, 1e-6);
    });

    it('gives a boolean of a mostly wrong source a confidence of one half, not less', () => {
      const accuracies = learned({ accuracies: { broker: 0.2 }, falseAgreement: 1, hardShare: 0 });
      expect(resolve([claim('broker', true)], STEADY, accuracies).confidence).to.be.closeTo(0.5, 1e-6);
    });

    it('breaks ties by the newest observation, then by the smallest canonical value', () => {
      const older = { observedAt: '2025-11-01T00:00:00.000Z' };
      expect(resolve([claim('crm', 'b'), claim('shop', 'A')]).resolvedValue).to.equal('A');
      expect(resolve([claim('crm', 'b'), claim('shop', 'A', older)]).resolvedValue).to.equal('b');
    });

    it('counts only the latest claim of a source by observation, then by sequence', () => {
      const old = { observedAt: '2024-01-01T00:00:00.000Z', sequence: 9 };
      expect(
        resolve([claim('crm', 'new', { sequence: 1 }), claim('crm', 'old', old)]).resolvedValue,
      ).to.equal('new');
      const repeats = [claim('crm', 'first', { sequence: 1 }), claim('crm', 'second', { sequence: 2 })];
      expect(resolve(repeats).resolvedValue).to.equal('second');
    });

    it('halves the confidence in a value after its half-life', () => {
      const accuracies = learned({ accuracies: { crm: 0.99 }, falseAgreement: 1e-6 });
      const aged = claim('crm', 'Paris', {
        observedAt: new Date(NOW.getTime() - 100 * 86_400_000).toISOString(),
      });
      expect(resolve([aged], { halfLifeDays: 100 }, accuracies).confidence).to.be.closeTo(0.99 / 2, 1e-3);
    });

    it('treats numbers within tolerance and abbreviated names as equal', () => {
      const numbers = [claim('crm', 100), claim('shop', 101), claim('app', '100.4')];
      expect(resolve(numbers, { type: 'number', tolerance: 1 }).resolutionMethod).to.equal('consensus');
      const names = [
        claim('crm', "O'Leary, Timothy J."),
        claim('shop', "timothy j o'leary"),
        claim('app', 'T. O’Leary'),
      ];
      expect(resolve(names, { type: 'person_name' }).resolutionMethod).to.equal('consensus');
    });

    it('keeps evidence, alternatives and shares within their bounds', () => {
      const supporters = Array.from({ length: 130 }, (_, index) => claim(`s${index}`, 'Paris'));
      const losers = Array.from({ length: 15 }, (_, index) => claim(`l${index}`, `value ${index}`));
      const fact = resolve([...supporters, ...losers]);
      expect(fact.evidence).to.have.length(20);
      expect(fact.alternatives).to.have.length(10);
      expect(fact.explanation.shares).to.have.length(100);
    });

    it('orders evidence by strength', () => {
      const accuracies = learned({ accuracies: { poor: 0.5, best: 0.95, middling: 0.7 } });
      const claims = [claim('poor', 'Paris'), claim('best', 'Paris'), claim('middling', 'Paris')];
      const byId = new Map(claims.map(({ id, source }) => [id, source]));
      const order = resolve(claims, STEADY, accuracies).evidence.map((id) => byId.get(id));
      expect(order).to.deep.equal(['best', 'middling', 'poor']);
    });
  });

  describe('with generated claims', () => {
    it('resolves the same for any order of claims', () => {
      const shuffled = claimsOfFact.chain((claims) =>
        fc.tuple(fc.constant(claims), fc.shuffledSubarray(claims, { minLength: claims.length })),
      );
      fc.assert(
        fc.property(shuffled, anyAccuracies, anyRule, ([claims, others], accuracies, rule) => {
          const fact = resolveFact(claims, accuracies, rule, NOW);
          expect(resolveFact(others, accuracies, rule, NOW)).to.deep.equal(fact);
        }),
      );
    });

    it('resolves the same whatever facts were resolved before', () => {
      // One source of the crowd is known, else nothing of it would be learned from and taken back.
      const crowd = Array.from({ length: 40 }, (_, number) =>
        claim(number === 0 ? 'crm' : `source-${number}`, `value ${number % 3}`),
      );
      fc.assert(
        fc.property(
          claimsOfFact,
          claimsOfFact,
          anyAccuracies,
          anyRule,
          (claims, others, accuracies, rule) => {
            const judge = (of: readonly ResolutionClaim[]) => resolveFact(of, accuracies, rule, NOW);
            const [fact, large] = [judge(claims), judge(crowd)];
            judge(others);
            expect(judge(claims)).to.deep.equal(fact);
            expect(judge(crowd)).to.deep.equal(large);
          },
        ),
      );
    });

    it('returns probabilities that add up to at most 1', () => {
      fc.assert(
        fc.property(claimsOfFact, anyAccuracies, anyRule, (claims, accuracies, rule) => {
          const fact = resolveFact(claims, accuracies, rule, NOW);
          const all = [fact, ...fact.alternatives].map(({ confidence }) => confidence);
          for (const confidence of all) expect(confidence).to.be.within(1e-6, 1 - 1e-6);
          expect(all.reduce((sum, confidence) => sum + confidence, 0)).to.be.at.most(1 + 1e-5);
        }),
      );
    });

    it('explains the confidence by terms that add up to its log-odds', () => {
      fc.assert(
        fc.property(claimsOfFact, anyAccuracies, anyRule, (claims, accuracies, rule) => {
          const { confidence, explanation: told } = resolveFact(claims, accuracies, rule, NOW);
          const shares = told.shares.reduce((sum, share) => sum + share.logOdds, 0);
          const total =
            told.prior + told.change + told.calibration + told.normalisation + told.omitted + shares;
          expect(total).to.be.closeTo(Math.log(confidence / (1 - confidence)), 1e-9);
          expect(told.logOdds).to.be.closeTo(total, 1e-9);
        }),
      );
    });

    it('explains a vote without a remainder unless the confidence was bounded', () => {
      fc.assert(
        fc.property(claimsOfFact, (claims) => {
          const { confidence, explanation } = resolveFact(
            claims,
            initialAccuracies(),
            { method: 'vote' },
            NOW,
          );
          if (confidence > 1e-5 && confidence < 1 - 1e-5)
            expect(Math.abs(explanation.normalisation)).to.be.lessThan(1e-9);
        }),
      );
    });

    it('blames an effect only where the value would win without it', () => {
      fc.assert(
        fc.property(claimsOfFact, anyAccuracies, (claims, accuracies) => {
          const fact = resolveFact(claims, accuracies, STEADY, NOW);
          const blamed = fact.alternatives.filter(({ reason }) => reason === 'less_accurate_source');
          if (blamed.length === 0) return;
          const alike = resolveFact(claims, { ...accuracies, sources: [] }, STEADY, NOW);
          const most = Math.max(alike.confidence, ...alike.alternatives.map(({ confidence }) => confidence));
          for (const { value } of blamed) {
            const same = [alike.resolvedValue, ...alike.alternatives.map((one) => one.value)];
            const place = same.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
            const all = [alike.confidence, ...alike.alternatives.map(({ confidence }) => confidence)];
            expect(all[place] ?? most).to.be.closeTo(most, 1e-6);
          }
        }),
        { numRuns: 300 },
      );
    });

    it('counts repeats of a source once', () => {
      fc.assert(
        fc.property(claimsOfFact, anyAccuracies, anyRule, (claims, accuracies, rule) => {
          const repeated = claims.map((one) => ({
            ...one,
            id: `${one.id}r`,
            observedAt: '2019-01-01T00:00:00.000Z',
            value: 'an old repeat',
          }));
          const method = rule.method ?? 'vote';
          const fact = resolveFact(claims, accuracies, { ...rule, method }, NOW);
          expect(resolveFact([...repeated, ...claims], accuracies, { ...rule, method }, NOW)).to.deep.equal(
            fact,
          );
        }),
      );
    });

    it('never lowers the confidence when another independent source agrees', () => {
      fc.assert(
        fc.property(claimsOfFact, (claims) => {
          const rule = { method: 'vote' as const };
          const before = resolveFact(claims, initialAccuracies(), rule, NOW);
          const agreeing = { ...claim('newcomer', before.resolvedValue), observedAt: NOW.toISOString() };
          const after = resolveFact([...claims, agreeing], initialAccuracies(), rule, NOW);
          expect(after.confidence).to.be.at.least(before.confidence - 1e-9);
        }),
      );
    });

    it('never takes a claim for evidence against its value where few values are plausible', () => {
      const fewValues = fc.tuple(anyAccuracies, fc.integer({ min: 2, max: 4 })).map(([learned, values]) => {
        return { ...learned, falseAgreement: 1 / (values - 1) };
      });
      const shares = (claims: ResolutionClaim[], accuracies: AccuracySnapshot) =>
        resolveFact(claims, accuracies, { ...STEADY, method: 'vote' }, NOW).explanation.shares;
      fc.assert(
        fc.property(claimsOfFact, fewValues, (claims, accuracies) => {
          const known = claims.filter(({ value }) => typeof value === 'string');
          for (const { supports, logOdds } of known.length === 0 ? [] : shares(known, accuracies))
            if (supports) expect(logOdds).to.be.at.least(-1e-9);
        }),
      );
    });

    it('never raises the confidence with time when all sources agree', () => {
      fc.assert(
        fc.property(claimsOfFact, fc.integer({ min: 1, max: 4000 }), (claims, days) => {
          const same = claims.map((one) => ({ ...one, value: 'Paris' }));
          const rule = { method: 'vote' as const, halfLifeDays: 100 };
          const later = new Date(NOW.getTime() + days * 86_400_000);
          const before = resolveFact(same, initialAccuracies(), rule, NOW).confidence;
          expect(resolveFact(same, initialAccuracies(), rule, later).confidence).to.be.at.most(
            before + 1e-12,
          );
        }),
      );
    });

    it('returns as evidence only claims of the winning value', () => {
      fc.assert(
        fc.property(claimsOfFact, anyAccuracies, (claims, accuracies) => {
          const fact = resolveFact(claims, accuracies, { method: 'vote' }, NOW);
          const supporting = fact.explanation.shares
            .filter(({ supports }) => supports)
            .map(({ claimId }) => claimId);
          expect(fact.evidence).to.have.members(supporting);
        }),
      );
    });
  });
});
