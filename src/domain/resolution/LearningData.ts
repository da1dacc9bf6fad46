import type { LearnedNumbers } from './types.js';

/** Comparable claims of one app and purpose, as typed arrays in an order that depends on content only. */
export interface LearningData {
  /** In code unit order. */
  sources: string[];
  attributes: string[];
  /** Per attribute: the number of distinct values ever claimed, at most `MIN_DOMAIN`. */
  distinctOf: Int32Array;
  /** Per attribute, in days. */
  halfLives: Float64Array;
  /** Per attribute: its half-life if it was learned. */
  learnedHalfLives: (number | undefined)[];
  /** Per attribute: the learned rule of when its numbers agree, if any. */
  learnedNumbers: (LearnedNumbers | undefined)[];
  /** Per fact: where its claims start; one more entry than facts. */
  starts: Int32Array;
  /** Per fact. */
  attributeOf: Int32Array;
  /** Per fact: number of distinct values. */
  groupsOf: Int32Array;
  /** Per claim: index into `sources`. */
  sourceOf: Int32Array;
  /** Per claim: index of its value among the fact's distinct values. */
  groupOf: Int32Array;
  /** Per claim: days since 1970. */
  dayOf: Float64Array;
  /** Per claim: stated log-odds relative to the reference. */
  statedOf: Float32Array;
  /** Per attribute: the step in which distances of its numbers are measured, if they are. */
  steps: (number | undefined)[];
  /** Per claim: the number of its value in steps; `NaN` where it is none. Empty if no claim has one. */
  placeOf: Float64Array;
}
