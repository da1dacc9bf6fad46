import { expect } from 'chai';
import { canonicalDate } from '../../../src/domain/resolution/canonicalDate.js';
import { canonicalValue } from '../../../src/domain/resolution/canonicalValue.js';
import { mergeNames } from '../../../src/domain/resolution/mergeNames.js';
import { mergeNumbers } from '../../../src/domain/resolution/mergeNumbers.js';
import { NearErrors } from '../../../src/domain/resolution/NearErrors.js';
import { Neighbourhood } from '../../../src/domain/resolution/Neighbourhood.js';
import { initialAccuracies } from '../../../src/domain/resolution/initialAccuracies.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import { ATTRIBUTE_TYPES } from '../../../src/domain/resolution/types.js';
import type { ResolutionClaim, ResolvedFact } from '../../../src/domain/resolution/types.js';
import { Random } from '../../../bench/resolution/Random.js';

/** Processor time in milliseconds. Not a measurement: quadratic work on such input takes seconds to hours. */
function cost(work: () => unknown): number {
  const started = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - started) / 1000;
}

/** Two runs, of which normalisation puts the second one first. */
const MARKS = '\u0301'.repeat(32_500) + '\u0316'.repeat(32_500);

describe('Values of claims that are made to take long', () => {
  it('take time in proportion to their length, in the form of any type', () => {
    for (const type of ATTRIBUTE_TYPES)
      for (const unit of [' ', '1', 'a ', ',', ';', '.', '-', '\n', 'and ', '1,', '𝟙', '(', MARKS]) {
        const text = `a${unit.repeat(Math.ceil(65_000 / unit.length))}b`;
        for (const value of [text, text.slice(1)])
          expect(
            cost(() => canonicalValue(value, { type })),
            `${type} of ${JSON.stringify(unit.slice(0, 9))}`,
          ).to.be.below(1000);
      }
  });

  it('are not compared name by name in long lists', () => {
    const list = (seed: number): string =>
      JSON.stringify(Array.from({ length: 10_000 }, (_, index) => `a${index % (seed + 2)} b${index}`));
    expect(
      cost(() =>
        mergeNames(
          Array.from({ length: 20 }, (_, seed) => list(seed)),
          'person_names',
        ),
      ),
    ).to.be.below(3000);
  });

  it('are not compared word by word in long names', () => {
    const names = Array.from({ length: 300 }, (_, index) => `${'a '.repeat(32_000)}${index} z`);
    expect(cost(() => mergeNames(names, 'person_name'))).to.be.below(3000);
    expect(new Set(mergeNames(names, 'person_name').values()).size).to.equal(300);
    const words = (count: number): string[] => Array.from({ length: count }, () => 'a');
    const short = [...words(18), 'z'];
    expect(
      new Set(mergeNames([short.join(' '), ['b', ...short].join(' ')], 'person_name').values()).size,
    ).to.equal(2);
    expect(
      new Set(mergeNames([short.join(' '), ['anna', ...short.slice(1)].join(' ')], 'person_name').values())
        .size,
    ).to.equal(1);
  });

  it('unite to a bounded set, with the elements of the strongest claims', () => {
    const claims = Array.from({ length: 300 }, (_, source): ResolutionClaim => {
      const value = Array.from({ length: 2000 }, (_element, index) => `item ${source} ${index}`);
      return {
        id: `clm_${source}`,
        attribute: 'tags',
        value,
        source: `source ${source}`,
        observedAt: '2026-01-01T00:00:00.000Z',
        sequence: source,
        confidence: source === 7 ? 0.99 : 0.5,
      };
    });
    const rule = { type: 'set', method: 'union', halfLifeDays: 730 } as const;
    let elements: unknown[] = [];
    const spent = cost(() => {
      const fact = resolveFact(claims, initialAccuracies(), rule, new Date('2026-02-01T00:00:00Z'));
      elements = fact.resolvedValue as unknown[];
    });
    expect(elements.length).to.be.within(2000, 10_000);
    expect(elements).to.include('item 7 1999');
    expect(spent).to.be.below(5000);
  });

  it('are compared as lists of names up to a bound, whatever their order', () => {
    const random = new Random(3);
    const list = (names: number, words: number): string =>
      JSON.stringify(
        Array.from({ length: names }, (_, index) => {
          const given = Array.from({ length: words }, (_word, place) => {
            const letter = String.fromCodePoint(97 + ((place === 0 ? index : place) % 26));
            return random.next() < 0.5 ? letter : `${letter}qq`;
          });
          return [...given, 'zz'].join(' ');
        }).toSorted(),
      );
    const groupsOf = (lists: string[]): number => new Set(mergeNames(lists, 'person_names').values()).size;
    const long = Array.from({ length: 300 }, () => list(30, 19));
    expect(groupsOf(long), 'compared no further').to.be.above(1);
    expect(mergeNames(long.toReversed(), 'person_names')).to.deep.equal(mergeNames(long, 'person_names'));
    const usual = Array.from({ length: 500 }, () => list(10, 1));
    expect(groupsOf(usual), 'usual lists').to.equal(1);
  });

  it('unite what claims list together up to a bound, the strongest claims first', () => {
    const claims = (sources: number, elements: number): ResolutionClaim[] =>
      Array.from({ length: sources }, (_, source) => ({
        id: `clm_${source}`,
        attribute: 'tags',
        value: Array.from({ length: elements }, (_element, index) => `item ${index}`),
        source: `source ${source}`,
        observedAt: '2026-01-01T00:00:00.000Z',
        sequence: source,
        confidence: source < 25 ? 0.9 : 0.6,
      }));
    const resolve = (of: ResolutionClaim[]): ResolvedFact =>
      resolveFact(of, initialAccuracies(), { type: 'set' }, new Date('2026-02-01T00:00:00Z'));
    const counted = (fact: ResolvedFact): string[] =>
      fact.explanation.shares.filter(({ logOdds }) => logOdds !== 0).map(({ claimId }) => claimId);
    const many = resolve(claims(40, 10_000));
    expect(many.resolvedValue).to.have.length(10_000);
    expect(counted(many)).to.have.members(Array.from({ length: 25 }, (_, source) => `clm_${source}`));
    expect(resolve(claims(40, 10_000).toReversed())).to.deep.equal(many);
    expect(counted(resolve(claims(100, 400))), 'usual lists').to.have.length(100);
  });

  it('have no states between them where there are many different numbers', () => {
    const errors = new NearErrors();
    const statesOf = (values: number): number => {
      const near = new Neighbourhood();
      near.arrange(
        Float64Array.from({ length: values }, (_, index) => 50_000 * index),
        values,
        errors,
      );
      return near.states;
    };
    expect(statesOf(500)).to.equal(501);
    expect(statesOf(100)).to.be.above(1000);
  });

  it('mean the same in every time zone', () => {
    const zone = process.env['TZ'];
    try {
      for (const place of ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
        process.env['TZ'] = place;
        expect(canonicalDate('1990-05-17T00:00:00'), place).to.equal('1990-05-17');
        expect(canonicalDate('1990-05-17T23:59'), place).to.equal('1990-05-17');
        expect(canonicalDate('1990-05-17T00:30:00+02:00'), place).to.equal('1990-05-16');
        expect(canonicalDate('1990-02-31T00:00:00Z'), place).to.equal(null);
        expect(canonicalDate('1990-12-31T23:59:60+24:00'), place).to.equal(null);
        const merged = mergeNumbers(['03/12/2020', '2020-03-12', '2020-03-13'], {
          type: 'date',
          tolerance: 1,
        });
        expect(merged.get('2020-03-12')).to.equal(merged.get('2020-03-13'));
        expect(merged.get('03/12/2020'), 'is not guessed').to.not.equal(merged.get('2020-03-12'));
      }
    } finally {
      if (zone === undefined) Reflect.deleteProperty(process.env, 'TZ');
      else process.env['TZ'] = zone;
    }
  });

  it('are no numbers without a digit, whatever the tolerance', () => {
    const merged = mergeNumbers(['', '0', '1'], { type: 'number', tolerance: 1 });
    expect(merged.get('0')).to.equal(merged.get('1'));
    expect(merged.get('')).to.not.equal(merged.get('0'));
  });
});
