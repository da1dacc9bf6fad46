import { expect } from 'chai';
import { NOW } from '../../../bench/resolution/generateScenario.js';
import { WorldGenerator } from '../../../bench/resolution/generateWorld.js';
import { learn, resolveOursWith } from '../../../bench/resolution/resolveOurs.js';
import { isNumeric, WORLDS } from '../../../bench/resolution/worlds.js';
import type { World } from '../../../bench/resolution/worlds.js';

/** By how much the mean confidence is above the share of facts that are right. */
function excess(name: string): number {
  const world = { ...(WORLDS[name] as World), facts: 1500 };
  const facts = new WorldGenerator(world, false, 51).facts();
  const registry = { '*': { halfLifeDays: Infinity, ...(isNumeric(world) && { type: 'number' as const }) } };
  const answers = resolveOursWith(learn(facts, registry), facts, registry, NOW);
  const sum = answers.reduce(
    (total, { value, confidence }, index) => total + confidence - Number(value === facts[index]?.truth),
    0,
  );
  return sum / facts.length;
}

describe('confidences that were learned without any truth', () => {
  it('are not too low where wrong sources all say one popular value', () => {
    expect(excess('popular errors')).to.be.within(-0.05, 0.03);
  });

  it('are not too high where feeds are right and all sources share an error', () => {
    expect(excess('measured weather')).to.be.within(-0.03, 0.06);
    expect(excess('forecasts with biases')).to.be.within(-0.03, 0.06);
  });

  it('are not too low where sources measure and round, and share nothing', () => {
    expect(excess('numbers, noisy and rounded')).to.be.within(-0.06, 0.03);
  });
});
