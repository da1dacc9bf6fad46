import { expect } from 'chai';
import fc from 'fast-check';
import { Random } from '../../../bench/resolution/Random.js';
import { generateScenario, NOW, SCENARIOS } from '../../../bench/resolution/generateScenario.js';
import { DatasetGenerator } from '../../../bench/resolution/DatasetGenerator.js';
import { learn, resolveOursWith } from '../../../bench/resolution/resolveOurs.js';
import { scoreAnswers } from '../../../bench/resolution/scoreAnswers.js';
import { DATASETS } from '../../../bench/resolution/datasets.js';
import type { Dataset } from '../../../bench/resolution/datasets.js';
import { resolveFact } from '../../../src/domain/resolution/resolveFact.js';
import type { AccuracySnapshot } from '../../../src/domain/resolution/types.js';

const NUMBERS = { '*': { halfLifeDays: Infinity, type: 'number' as const } };

function forecasts(facts: number) {
  const dataset = { ...(DATASETS['forecasts with biases'] as Dataset), facts };
  return new DatasetGenerator(dataset, false, 51).facts();
}

describe('The model tempered_pairs', () => {
  const facts = forecasts(1500);
  let snapshot: AccuracySnapshot;
  before(() => {
    snapshot = learn(facts, NUMBERS);
  });
  const scoreOf = (judge: AccuracySnapshot) =>
    scoreAnswers(facts, resolveOursWith(judge, facts, NUMBERS, NOW), (value, truth) => value === truth);

  it('is chosen when feeds are right and pairs predict held-out claims no better', () => {
    expect(snapshot.model.dependence).to.equal('tempered_pairs');
    const score = (model: string): number =>
      snapshot.evidence.find(({ dependence }) => dependence === model)?.score ?? 0;
    expect(score('tempered_pairs')).to.be.greaterThan(score('independent') + 0.03);
    expect(score('tempered_pairs')).to.be.greaterThan(score('pairs') - 0.01);
    expect(Math.max(...snapshot.copies.map(({ rate }) => rate))).to.be.within(0.2, 0.5);
  });

  it('is more accurate than full copy rates and well calibrated', () => {
    const whole = { ...snapshot, copies: snapshot.copies.map((copy) => ({ ...copy, rate: 2 * copy.rate })) };
    const { accuracy, calibrationError } = scoreOf(snapshot);
    expect(accuracy).to.be.greaterThan(scoreOf(whole).accuracy + 0.005);
    expect(calibrationError).to.be.lessThan(0.06);
    const mean = (judge: AccuracySnapshot): number => {
      const answers = resolveOursWith(judge, facts, NUMBERS, NOW);
      return answers.reduce((sum, { confidence }) => sum + confidence, 0) / answers.length;
    };
    expect(mean(snapshot)).to.be.within(accuracy - 0.05, accuracy + 0.05);
    expect(mean({ ...snapshot, calibration: [], attributes: [] })).to.be.greaterThan(accuracy + 0.1);
  });

  it('is not chosen when copiers are wrong', () => {
    const { copiers } = SCENARIOS;
    if (copiers === undefined) throw new Error('the scenario has gone');
    const copied = learn(generateScenario(copiers, 51, 2000), { '*': { halfLifeDays: Infinity } });
    expect(copied.model.dependence).to.be.oneOf(['pairs', 'feeds']);
    expect(copied.evidence.map(({ dependence }) => dependence)).to.include('tempered_pairs');
  });

  it('is the same for any order of claims and explained completely', () => {
    const few = forecasts(500);
    const once = learn(few, NUMBERS);
    expect(once.model.dependence).to.equal('tempered_pairs');
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const shuffled = random
          .shuffled(few)
          .map((fact) => ({ ...fact, claims: random.shuffled(fact.claims) }));
        expect(learn(shuffled, NUMBERS)).to.deep.equal(once);
      }),
      { numRuns: 3 },
    );
    for (const { claims } of few.slice(0, 100)) {
      const { explanation } = resolveFact(claims, once, NUMBERS['*'], NOW);
      const { prior, change, calibration, normalisation, omitted, shares } = explanation;
      const sum = shares.reduce((total, { logOdds }) => total + logOdds, prior + change + calibration);
      expect(sum + normalisation + omitted).to.be.closeTo(explanation.logOdds, 1e-9);
      expect(explanation.model.dependence).to.equal('tempered_pairs');
    }
  });
});
