import { expect } from 'chai';
import { errorByChance } from '../../../bench/resolution/errorByChance.js';
import { Random } from '../../../bench/resolution/Random.js';
import { scoreAnswers } from '../../../bench/resolution/scoreAnswers.js';
import type { BenchFact } from '../../../bench/resolution/BenchFact.js';

function known(truth: string | null): BenchFact {
  return { key: 'f', attribute: 'a', claims: [], truth };
}

function errorOf(confidences: readonly number[]): number {
  const answers = confidences.map((confidence) => ({ value: 'right', confidence }));
  return errorByChance(
    confidences.map(() => known('right')),
    answers,
  );
}

describe('errorByChance', () => {
  it('is the expected calibration error of coin tosses', () => {
    expect(errorOf([0.5])).to.be.closeTo(0.5, 1e-12);
    expect(errorOf([0.5, 0.5])).to.be.closeTo(0.25, 1e-12);
    expect(errorOf([1, 1, 1])).to.equal(0);
  });

  it('ignores facts without a known truth', () => {
    const answers = [0.5, 0.5].map((confidence) => ({ value: 'right', confidence }));
    expect(errorByChance([known('right'), known(null)], answers)).to.be.closeTo(0.5, 1e-12);
  });

  it('equals the mean calibration error of well calibrated answers', () => {
    const random = new Random(3);
    const confidences = Array.from({ length: 100 }, () => 0.3 + 0.7 * random.next());
    const draws = Array.from({ length: 2000 }, () => {
      const facts = confidences.map((confidence) => known(random.next() < confidence ? 'right' : 'wrong'));
      const answers = confidences.map((confidence) => ({ value: 'right', confidence }));
      return scoreAnswers(facts, answers, (value, truth) => value === truth).calibrationError;
    });
    const mean = draws.reduce((sum, error) => sum + error, 0) / draws.length;
    expect(errorOf(confidences)).to.be.closeTo(mean, 0.002);
  });
});
