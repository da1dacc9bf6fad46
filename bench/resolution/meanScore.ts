import type { Score } from './scoreAnswers.js';

/** The mean of each figure of the scores. */
export function meanScore(scores: readonly Score[]): Score {
  const average = (pick: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return {
    accuracy: average((score) => score.accuracy),
    calibrationError: average((score) => score.calibrationError),
    answerable: average((score) => score.answerable),
  };
}
