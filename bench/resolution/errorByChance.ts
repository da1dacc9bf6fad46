import type { Answer, BenchFact } from './BenchFact.js';
import { binOf } from './scoreAnswers.js';

/** Probabilities that so many of independent answers are right. */
function countsOf(confidences: readonly number[]): number[] {
  let counts = [1];
  for (const confidence of confidences) {
    counts = Array.from({ length: counts.length + 1 }, (_, right) => {
      return (counts[right] ?? 0) * (1 - confidence) + (counts[right - 1] ?? 0) * confidence;
    });
  }
  return counts;
}

/**
 * The calibration error that answers with these confidences have on average if each confidence is exactly the
 * probability that its answer is right: what is left of the error when nothing is wrong with the confidences.
 */
export function errorByChance(facts: readonly BenchFact[], answers: readonly Answer[]): number {
  const graded = answers.filter((_, index) => facts[index]?.truth !== null);
  const bins = Array.from({ length: 10 }, (): number[] => []);
  for (const { confidence } of graded) bins[binOf(confidence)]?.push(confidence);
  const errors = bins.map((confidences) => {
    const expected = confidences.reduce((sum, confidence) => sum + confidence, 0);
    return countsOf(confidences).reduce(
      (sum, probability, right) => sum + probability * Math.abs(right - expected),
      0,
    );
  });
  return errors.reduce((sum, error) => sum + error, 0) / graded.length;
}
