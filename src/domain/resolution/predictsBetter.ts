import { mean } from './mean.js';

/** What a model predicts of each held-out claim, from the claims of the other sources. */
export interface Predictions {
  /** Its log-probability. */
  scores: Float64Array;
  /** The most probable value. */
  winners: Int32Array;
  /** Its attribute. */
  attributes: Int32Array;
}

/** What is predicted of the claims of one attribute. */
export function predictionsIn({ scores, winners, attributes }: Predictions, attribute: number): Predictions {
  const isOwn = (_: number, claim: number): boolean => attributes[claim] === attribute;
  return {
    scores: scores.filter(isOwn),
    winners: winners.filter(isOwn),
    attributes: attributes.filter(isOwn),
  };
}

/** Standard errors by which a model must predict better. */
const MIN_DEVIATIONS = 3;

/** Log-probability that it must gain per claim whose winner it changes. */
const MIN_GAIN_OF_CHANGE = 0.1;

/**
 * Whether a model predicts the same claims better: significantly, and by enough for the winners it changes.
 * With many claims any gain is significant; a small one does not justify many new winners.
 */
export function predictsBetter(challenger: Predictions, champion: Predictions): boolean {
  const gains = challenger.scores.map((score, claim) => score - (champion.scores[claim] ?? 0));
  const claims = Math.max(1, gains.length);
  const gain = mean(gains);
  const variance = mean(gains.map((each) => (each - gain) ** 2));
  const changes = challenger.winners.filter((winner, claim) => winner !== champion.winners[claim]).length;
  return (
    gain > Math.max(MIN_DEVIATIONS * Math.sqrt(variance / claims), (MIN_GAIN_OF_CHANGE * changes) / claims)
  );
}
