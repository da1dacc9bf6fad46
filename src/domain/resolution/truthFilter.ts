/** A claim as the filter needs it. */
export interface FilterClaim {
  /** Index of the claimed value among the fact's distinct values. */
  group: number;
  /** Days since 1970. */
  day: number;
  /** Probability that the claim was right when observed. */
  reliability: number;
  /** Probability that it was copied from another claim on the same value. */
  copied: number;
}

export interface TruthModel {
  /** Number of distinct claimed values. */
  groups: number;
  /** Plausible values, claimed or not: at least `groups`, at least 2. */
  domain: number;
  halfLifeDays: number;
}

/** Probability that a value has not changed for so many days. */
export function retention(days: number, halfLifeDays: number): number {
  return days <= 0 || halfLifeDays === Infinity ? 1 : 2 ** (-days / halfLifeDays);
}

/**
 * Exact inference in a hidden Markov chain: the true value stays for an exponential time, then is drawn anew and evenly from
 * the domain; a claim is right with its reliability, else evenly one of the other values, or else a copy that says nothing.
 * The last state stands for all values that nobody claims.
 */
export class TruthFilter {
  readonly #model: TruthModel;
  readonly #state: Float64Array;

  constructor(model: TruthModel) {
    this.#model = model;
    this.#state = new Float64Array(model.groups + 1);
    for (let index = 0; index <= model.groups; index += 1) this.#state[index] = this.#prior(index);
  }

  #prior(index: number): number {
    const { groups, domain } = this.#model;
    return index < groups ? 1 / domain : (domain - groups) / domain;
  }

  /** Lets days pass. */
  elapse(days: number): void {
    const kept = retention(days, this.#model.halfLifeDays);
    if (kept === 1) return;
    for (let index = 0; index < this.#state.length; index += 1) {
      this.#state[index] = kept * this.probability(index) + (1 - kept) * this.#prior(index);
    }
  }

  observe(claim: FilterClaim): void {
    const own = 1 - claim.copied;
    const right = claim.copied + own * claim.reliability;
    const wrong = claim.copied + (own * (1 - claim.reliability)) / (this.#model.domain - 1);
    let total = 0;
    for (let index = 0; index < this.#state.length; index += 1) {
      const weight = this.probability(index) * (index === claim.group ? right : wrong);
      this.#state[index] = weight;
      total += weight;
    }
    for (let index = 0; index < this.#state.length; index += 1) this.#state[index] = this.probability(index) / total;
  }

  /** Probability of a value now; `groups` asks for all values nobody claims. */
  probability(index: number): number {
    return this.#state[index] ?? 0;
  }

  /** Log-odds of a value now. The rest is summed, not subtracted, so that it keeps its digits near certainty. */
  logOdds(index: number): number {
    let rest = 0;
    for (let other = 0; other < this.#state.length; other += 1) if (other !== index) rest += this.probability(other);
    return Math.log(this.probability(index) / rest);
  }
}
