import { expect } from 'chai';
import fc from 'fast-check';
import type { LearningData } from '../../../src/domain/resolution/LearningData.js';
import { AgreementFit } from '../../../src/domain/resolution/AgreementFit.js';
import { commonOrigin } from '../../../src/domain/resolution/commonOrigin.js';
import type { CommonOrigin } from '../../../src/domain/resolution/commonOrigin.js';
import { PairTable } from '../../../src/domain/resolution/PairTable.js';
import { Random } from '../../../bench/resolution/Random.js';

const SOURCES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

/** What each source says of a fact. */
interface Said {
  attribute: number;
  values: readonly number[];
}

interface Setting {
  /** Pairs of sources of which one is suspected of copying the other. */
  copying: readonly string[];
  rate: number;
  rounding?: readonly string[];
  said?: readonly Said[];
}

function dataOf(said: readonly Said[], rounding: readonly string[]): LearningData {
  const attributes = Math.max(0, ...said.map(({ attribute }) => attribute)) + 1;
  const units = rounding.map((source) => ({ source, unit: 10 }));
  const data = {
    sources: SOURCES,
    attributes: Array.from({ length: attributes }, (_, attribute) => `attribute-${attribute}`),
    learnedNumbers: [undefined, { tolerance: 0, units }],
    starts: Int32Array.from({ length: said.length + 1 }, (_, fact) => fact * SOURCES.length),
    attributeOf: Int32Array.from(said, ({ attribute }) => attribute),
    groupsOf: Int32Array.from(said, ({ values }) => new Set(values).size),
    sourceOf: Int32Array.from(said.flatMap(() => [...SOURCES.keys()])),
    groupOf: Int32Array.from(said.flatMap(({ values }) => values)),
  };
  return data as unknown as LearningData;
}

/** Every two sources have the same facts in common. */
function originOf({ copying, rate, rounding = [], said = [] }: Setting): CommonOrigin {
  const pairs = new PairTable(Int32Array.from(SOURCES, () => 100));
  for (let a = 0; a < SOURCES.length; a += 1) {
    for (let b = a + 1; b < SOURCES.length; b += 1)
      for (let fact = 0; fact < 30; fact += 1) pairs.add(a, b, true);
  }
  const suspicions = copying.map(([first = '', second = '']) => {
    return { first: SOURCES.indexOf(first), second: SOURCES.indexOf(second), probability: 1, rate };
  });
  const compared = { pairs, fit: new AgreementFit(pairs, SOURCES.length) };
  const learning = commonOrigin(dataOf(said, rounding), compared, suspicions, 100);
  for (;;) {
    const step = learning.next();
    if (step.done === true) return step.value;
  }
}

function overall(copying: readonly string[], rate: number, rounding: readonly string[] = []): number {
  return originOf({ copying, rate, rounding }).overall;
}

/** Facts of one attribute; the second source says what the first says this often. */
function factsOf(attribute: number, { copied, right = 0.5 }: { copied: number; right?: number }): Said[] {
  const random = new Random(attribute + 3);
  return Array.from({ length: 600 }, () => {
    const values = SOURCES.map(() => (random.next() < right ? 0 : 1 + random.below(9)));
    if (random.next() < copied) values[1] = values[0] ?? 0;
    return { attribute, values };
  });
}

const values = fc.array(fc.nat({ max: 3 }), { minLength: SOURCES.length, maxLength: SOURCES.length });
const someFacts = fc.array(fc.record({ attribute: fc.nat({ max: 1 }), values }), {
  minLength: 20,
  maxLength: 80,
});

describe('commonOrigin', () => {
  it('is 0 without copying and grows with the amount of copying', () => {
    expect(overall([], 0)).to.equal(0);
    const [one, two] = [overall(['ab'], 0.6), overall(['ab', 'cd'], 0.6)];
    expect(one).to.be.closeTo(0.6 / 66 / 0.05, 1e-9);
    expect(two).to.be.closeTo(2 * one, 1e-9);
  });

  it('is at most 1', () => {
    expect(overall(['ab', 'ac', 'bc', 'de', 'df', 'ef'], 0.9)).to.equal(1);
  });

  it('ignores a pair of sources that both round', () => {
    expect(overall(['ab', 'cd'], 0.6, ['a', 'b'])).to.be.closeTo(overall(['cd'], 0.6), 1e-9);
    expect(overall(['ab', 'cd'], 0.6, ['a', 'c'])).to.be.closeTo(overall(['ab', 'cd'], 0.6), 1e-9);
  });

  it('is far less in an attribute in which no source copies', () => {
    const said = [...factsOf(0, { copied: 0 }), ...factsOf(1, { copied: 0.8 })];
    const { overall: all, byAttribute } = originOf({ copying: ['ab'], rate: 0.8, said });
    expect(byAttribute.get(0)).to.be.lessThan(0.2 * all);
    expect(byAttribute.get(1)).to.be.within(0.8 * all, 1.2 * all);
  });

  it('hardly differs from that of all attributes in one with few facts', () => {
    const said = [...factsOf(0, { copied: 0 }).slice(0, 20), ...factsOf(1, { copied: 0.8 })];
    const { overall: all, byAttribute } = originOf({ copying: ['ab'], rate: 0.8, said });
    expect(byAttribute.get(0)).to.be.within(0.6 * all, 0.9 * all);
    const fewer = originOf({ copying: ['ab'], rate: 0.8, said: said.slice(1) });
    expect(fewer.byAttribute.has(0)).to.equal(false);
  });

  it('names who copies in an attribute, and clears those who do not', () => {
    const said = [...factsOf(0, { copied: 0 }), ...factsOf(1, { copied: 0.8 })];
    const { refined } = originOf({ copying: ['ab', 'cd'], rate: 0.8, said });
    const found = (attribute: number) =>
      refined
        .filter((each) => each.attribute === attribute)
        .map(({ first, second, probability, rate }) => [
          first,
          second,
          Math.round(probability * rate * 5) / 5,
        ])
        .toSorted();
    expect(found(0)).to.deep.equal([
      [0, 1, 0],
      [2, 3, 0],
    ]);
    expect(found(1)).to.deep.equal([
      [0, 1, 0.8],
      [2, 3, 0],
    ]);
  });

  it('is only that of all attributes if there is one attribute, or nothing is suspected', () => {
    const facts = factsOf(0, { copied: 0.8 });
    expect(originOf({ copying: ['ab'], rate: 0.8, said: facts }).byAttribute).to.have.property('size', 0);
    const said = [...facts, ...factsOf(1, { copied: 0.8 })];
    const unsuspected = originOf({ copying: [], rate: 0, said });
    expect(unsuspected.overall).to.equal(0);
    expect(unsuspected.byAttribute).to.have.property('size', 0);
  });

  it('is from 0 to 1, whatever is claimed and in whatever order attributes come', () => {
    fc.assert(
      fc.property(someFacts, (facts) => {
        const swapped = facts.map((fact) => ({ ...fact, attribute: 1 - fact.attribute }));
        const [origins, others] = [facts, swapped].map(
          (said) => originOf({ copying: ['ab', 'ac', 'gh'], rate: 0.7, said }).byAttribute,
        );
        for (const attribute of [0, 1]) {
          const own = origins?.get(attribute);
          if (own !== undefined) expect(own).to.be.within(0, 1);
          expect(others?.get(1 - attribute)).to.equal(own);
        }
      }),
      { numRuns: 30 },
    );
  });
});
