import { expect } from 'chai';
import { DatasetGenerator } from '../../../bench/resolution/DatasetGenerator.js';
import { DATASETS } from '../../../bench/resolution/datasets.js';
import { NOW } from '../../../bench/resolution/generateScenario.js';
import { learn, resolveOursWith } from '../../../bench/resolution/resolveOurs.js';
import { scoreAnswers } from '../../../bench/resolution/scoreAnswers.js';
import type { AccuracySnapshot } from '../../../src/domain/resolution/types.js';

const RULES = { '*': { halfLifeDays: Infinity } };

function factsOf(name: string, facts: number, seed: number) {
  const dataset = DATASETS[name];
  if (dataset === undefined) throw new Error('the set has gone');
  return new DatasetGenerator({ ...dataset, facts }, true, seed).facts();
}

describe('Copying by attribute', () => {
  const facts = factsOf('popular errors, among forecasts', 1500, 201);
  let snapshot: AccuracySnapshot;
  before(() => {
    snapshot = learn(facts, RULES);
  });
  const scored = facts.filter(({ truth }) => truth !== null);
  const accuracyOf = (judge: AccuracySnapshot): number =>
    scoreAnswers(scored, resolveOursWith(judge, scored, RULES, NOW), (value, truth) => value === truth)
      .accuracy;

  it('is less where sources share no feed, and makes more winners right there', () => {
    const [own = ''] = scored.map(({ attribute }) => attribute);
    const copied = (attribute?: string): number =>
      snapshot.copies
        .filter((copy) => copy.attribute === attribute)
        .reduce((sum, { probability, rate }) => sum + probability * rate, 0);
    expect(copied()).to.be.greaterThan(3);
    expect(copied(own)).to.be.lessThan(0.7 * copied());
    const whole = { ...snapshot, copies: snapshot.copies.filter(({ attribute }) => attribute === undefined) };
    expect(accuracyOf(snapshot)).to.be.greaterThan(accuracyOf(whole) + 0.004);
  });

  it('is not learned where it does not predict held-out claims better', () => {
    const { copies } = learn(factsOf('forecasts told as text', 1500, 201), RULES);
    expect(copies).not.to.deep.equal([]);
    expect(copies.filter(({ attribute }) => attribute !== undefined)).to.deep.equal([]);
  });
});
