import type { LearningData } from './ClaimTable.js';
import { retention } from './truthFilter.js';

/**
 * Posterior of each claim of a fact having been right when it was observed, given all claims of the fact: the forward and
 * backward passes of the chain that `TruthFilter` describes, over typed arrays and without allocation.
 */
export class FactSmoother {
  readonly #data: LearningData;
  #forward = new Float64Array(0);
  #backward = new Float64Array(0);
  /** Per claim of the fact last smoothed. */
  posterior = new Float64Array(0);

  constructor(data: LearningData) {
    this.#data = data;
  }

  /**
   * Smooths the fact; `right` and `wrong` hold, per claim of it, the likelihoods of the claim when the truth is its value and when
   * it is another given one.
   */
  smooth(fact: number, domain: number, right: Float64Array, wrong: Float64Array): void {
    const start = this.#data.starts[fact] ?? 0;
    const size = (this.#data.starts[fact + 1] ?? 0) - start;
    const states = (this.#data.groupsOf[fact] ?? 0) + 1;
    this.#reserve(size, states);
    this.#passForward(fact, domain, right, wrong);
    this.#passBackward(fact, domain, right, wrong);
    for (let claim = 0; claim < size; claim += 1) {
      const row = claim * states;
      let total = 0;
      for (let state = 0; state < states; state += 1) {
        total += (this.#forward[row + state] ?? 0) * (this.#backward[row + state] ?? 0);
      }
      const own = row + (this.#data.groupOf[start + claim] ?? 0);
      this.posterior[claim] = ((this.#forward[own] ?? 0) * (this.#backward[own] ?? 0)) / total;
    }
  }

  #reserve(size: number, states: number): void {
    if (this.#forward.length < size * states) {
      this.#forward = new Float64Array(2 * size * states);
      this.#backward = new Float64Array(2 * size * states);
    }
    if (this.posterior.length < size) this.posterior = new Float64Array(2 * size);
  }

  #kept(fact: number, claim: number): number {
    const { dayOf, halfLives, attributeOf } = this.#data;
    const days = (dayOf[claim + 1] ?? 0) - (dayOf[claim] ?? 0);
    return retention(days, halfLives[attributeOf[fact] ?? 0] ?? Infinity);
  }

  #passForward(fact: number, domain: number, right: Float64Array, wrong: Float64Array): void {
    const { starts, groupsOf, groupOf } = this.#data;
    const start = starts[fact] ?? 0;
    const size = (starts[fact + 1] ?? 0) - start;
    const groups = groupsOf[fact] ?? 0;
    const states = groups + 1;
    const forward = this.#forward;
    for (let claim = 0; claim < size; claim += 1) {
      const row = claim * states;
      const kept = claim === 0 ? 0 : this.#kept(fact, start + claim - 1);
      const own = groupOf[start + claim] ?? 0;
      let total = 0;
      for (let state = 0; state < states; state += 1) {
        const prior = state < groups ? 1 / domain : (domain - groups) / domain;
        const before = claim === 0 ? prior : kept * (forward[row - states + state] ?? 0) + (1 - kept) * prior;
        const weight = before * ((state === own ? right[claim] : wrong[claim]) ?? 0);
        forward[row + state] = weight;
        total += weight;
      }
      for (let state = 0; state < states; state += 1) forward[row + state] = (forward[row + state] ?? 0) / total;
    }
  }

  #passBackward(fact: number, domain: number, right: Float64Array, wrong: Float64Array): void {
    const { starts, groupsOf, groupOf } = this.#data;
    const start = starts[fact] ?? 0;
    const size = (starts[fact + 1] ?? 0) - start;
    const groups = groupsOf[fact] ?? 0;
    const states = groups + 1;
    const backward = this.#backward;
    const last = (size - 1) * states;
    backward.fill(1, last, last + states);
    for (let claim = size - 2; claim >= 0; claim -= 1) {
      const row = claim * states;
      const kept = this.#kept(fact, start + claim);
      const own = groupOf[start + claim + 1] ?? 0;
      let expected = 0;
      for (let state = 0; state < states; state += 1) {
        const prior = state < groups ? 1 / domain : (domain - groups) / domain;
        const likelihood = (state === own ? right[claim + 1] : wrong[claim + 1]) ?? 0;
        const weight = likelihood * (backward[row + states + state] ?? 0);
        backward[row + state] = weight;
        expected += prior * weight;
      }
      for (let state = 0; state < states; state += 1) {
        backward[row + state] = (kept * (backward[row + state] ?? 0) + (1 - kept) * expected) / expected;
      }
    }
  }
}
