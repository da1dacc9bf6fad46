import { expect } from 'chai';
import { WorldGenerator, WORLDS } from '../../../bench/resolution/generateWorld.js';
import type { World } from '../../../bench/resolution/generateWorld.js';

function shareRight(name: string, copying: boolean): number {
  const facts = new WorldGenerator({ ...(WORLDS[name] as World), facts: 600 }, copying, 5).facts();
  const claims = facts.flatMap(({ claims: own, truth }) => own.map(({ value }) => String(value) === truth));
  return claims.filter(Boolean).length / claims.length;
}

describe('generated worlds', () => {
  it('are a function of the seed', () => {
    const world = WORLDS['a stale feed'] as World;
    const generate = (seed: number): unknown =>
      new WorldGenerator({ ...world, facts: 50 }, true, seed).facts();
    expect(generate(3)).to.deep.equal(generate(3));
    expect(generate(3)).not.to.deep.equal(generate(4));
  });

  it('have sources that are right as often as they are told to be', () => {
    expect(shareRight('one source always right', false)).to.be.within(0.52, 0.62);
    expect(shareRight('popular errors', false)).to.be.within(0.62, 0.78);
    expect(shareRight('a wrong feed', false)).to.be.within(0.55, 0.7);
  });

  it('have feeds whose sources agree, and copiers that repeat what another says', () => {
    const agreement = (name: string, copying: boolean, first: number, second: number): number => {
      const world = { ...(WORLDS[name] as World), facts: 600 };
      const facts = new WorldGenerator(world, copying, 5).facts();
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
