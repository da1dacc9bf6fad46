import { expect } from 'chai';
import { DatasetGenerator } from '../../../bench/resolution/DatasetGenerator.js';
import { DATASETS } from '../../../bench/resolution/datasets.js';
import type { Dataset } from '../../../bench/resolution/datasets.js';

function shareRight(name: string, copying: boolean): number {
  const facts = new DatasetGenerator({ ...(DATASETS[name] as Dataset), facts: 600 }, copying, 5).facts();
  const claims = facts.flatMap(({ claims: own, truth }) => own.map(({ value }) => String(value) === truth));
  return claims.filter(Boolean).length / claims.length;
}

describe('DatasetGenerator', () => {
  it('generates the same facts from the same seed', () => {
    const dataset = DATASETS['a stale feed'] as Dataset;
    const generate = (seed: number): unknown =>
      new DatasetGenerator({ ...dataset, facts: 50 }, true, seed).facts();
    expect(generate(3)).to.deep.equal(generate(3));
    expect(generate(3)).not.to.deep.equal(generate(4));
  });

  it('adds what the same sources say of other attributes, without its truth', () => {
    const own = { ...(DATASETS['popular errors'] as Dataset), facts: 40 };
    const beside = { ...(DATASETS['forecasts of three feeds'] as Dataset), facts: 60 };
    const facts = new DatasetGenerator({ ...own, beside }, true, 5).facts();
    expect(facts.filter(({ truth }) => truth !== null)).to.deep.equal(
      new DatasetGenerator(own, true, 5).facts(),
    );
    const others = facts.filter(({ truth }) => truth === null);
    expect(others).to.have.lengthOf(60);
    const attributes = new Set(facts.map(({ attribute }) => attribute));
    expect(attributes).to.have.property('size', 6);
    const names = new Set(facts.flatMap(({ claims }) => claims.map(({ source }) => source)));
    expect(names).to.have.property('size', own.sources);
    expect(new Set(facts.map(({ key }) => key))).to.have.property('size', facts.length);
  });

  it('generates sources with the configured accuracy', () => {
    expect(shareRight('one source always right', false)).to.be.within(0.52, 0.62);
    expect(shareRight('popular errors', false)).to.be.within(0.62, 0.78);
    expect(shareRight('a wrong feed', false)).to.be.within(0.55, 0.7);
  });

  it('generates forecasts with a shared error, as numbers or as text', () => {
    const offBy = (name: string): number[] => {
      const facts = new DatasetGenerator({ ...(DATASETS[name] as Dataset), facts: 600 }, false, 5).facts();
      return facts.map(({ claims, truth }) => {
        const errors = claims.map(({ value }) => Number(value) - Number(truth));
        return errors.reduce((sum, error) => sum + error, 0) / errors.length;
      });
    };
    const spread = (errors: readonly number[]): number =>
      Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(spread(offBy('a feed, and an error of all'))).to.be.greaterThan(
      1.1 * spread(offBy('forecasts with biases')),
    );
    const valueOf = (name: string): unknown =>
      new DatasetGenerator({ ...(DATASETS[name] as Dataset), facts: 1 }, false, 5).facts()[0]?.claims[0]
        ?.value;
    expect(valueOf('forecasts told as text')).to.be.a('string');
    expect(valueOf('forecasts with biases')).to.be.a('number');
  });

  it('generates feeds whose sources agree and copiers that repeat another source', () => {
    const agreement = (name: string, copying: boolean, first: number, second: number): number => {
      const dataset = { ...(DATASETS[name] as Dataset), facts: 600 };
      const facts = new DatasetGenerator(dataset, copying, 5).facts();
      const pairs = facts.flatMap(({ claims }) => {
        const [a, b] = [first, second].map((source) => claims.find(({ sequence }) => sequence === source));
        return a === undefined || b === undefined ? [] : [a.value === b.value];
      });
      return pairs.filter(Boolean).length / pairs.length;
    };
    expect(agreement('a wrong feed', false, 0, 4)).to.be.greaterThan(0.85);
    expect(agreement('a wrong feed', false, 0, 9)).to.be.lessThan(0.5);
    expect(agreement('popular errors', true, 0, 2)).to.be.greaterThan(0.8);
    expect(agreement('popular errors', false, 0, 2)).to.be.lessThan(0.75);
  });
});
