import type { Answer, BenchFact } from './BenchFact.js';

export interface Score {
  accuracy: number;
  /** Expected calibration error: ten bins of equal width. */
  calibrationError: number;
  /** Greatest share of the facts, taken by falling confidence, of which 95 % are right. */
  answerable: number;
}

/** Ten bins of equal width. */
export function binOf(confidence: number): number {
  return Math.min(9, Math.floor(confidence * 10));
}

function calibrationError(graded: readonly { confidence: number; isRight: boolean }[]): number {
  const bins = Array.from({ length: 10 }, () => ({ confidence: 0, right: 0 }));
  for (const { confidence, isRight } of graded) {
    const bin = bins[binOf(confidence)];
    if (bin === undefined) continue;
    bin.confidence += confidence;
    bin.right += Number(isRight);
  }
  return bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.right), 0) / graded.length;
}

/** Equal confidences are taken together: no method may gain by the order of ties. */
function answerableShare(graded: readonly { confidence: number; isRight: boolean }[]): number {
  const sorted = graded.toSorted((a, b) => b.confidence - a.confidence);
  let right = 0;
  let best = 0;
  for (const [index, { confidence, isRight }] of sorted.entries()) {
    right += Number(isRight);
    const isLastOfTie = sorted[index + 1]?.confidence !== confidence;
    if (isLastOfTie && right >= 0.95 * (index + 1)) best = index + 1;
  }
  return best / sorted.length;
}

/** Scores the answers to the facts whose truth is known. */
export function scoreAnswers(
  facts: readonly BenchFact[],
  answers: readonly Answer[],
  isRight: (value: string, truth: string) => boolean,
): Score {
  const graded = facts.flatMap((fact, index) => {
    const answer = answers[index];
    if (fact.truth === null || answer === undefined) return [];
    return [{ confidence: answer.confidence, isRight: isRight(answer.value, fact.truth) }];
  });
  return {
    accuracy: graded.filter((grade) => grade.isRight).length / graded.length,
    calibrationError: calibrationError(graded),
    answerable: answerableShare(graded),
  };
}
