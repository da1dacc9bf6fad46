import { calibrate } from './calibrate.js';
import type { Neighbourhood } from './Neighbourhood.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';
import type { CalibrationPoint } from './types.js';

/** A claim as the filter needs it. */
export interface FilterClaim {
  /** Index of the claimed value among the fact's distinct values. */
  group: number;
  /** Days since 1970. */
  day: number;
  /** Log-odds that the claim was right when observed, on an easy fact. */
  logOdds: number;
  /** Probability that it was copied from another claim on the same value. */
  copied: number;
}

export interface TruthModel {
  /** Number of distinct claimed values. */
  groups: number;
  /** Number of plausible values, claimed or not: at least `groups`, at least 2. */
  domain: number;
  halfLifeDays: number;
  /** Prior probability that the fact is a hard one, on which all sources err more often. */
  hardShare: number;
  /** Absent: a wrong claim is of any other value alike. */
  near?: Neighbourhood | undefined;
  /** Whether the value is an element of a set, which belongs to it or not. */
  ofElement?: boolean;
}

/** Probability that a value has not changed for so many days. */
export function retention(days: number, halfLifeDays: number): number {
  return days <= 0 || halfLifeDays === Infinity ? 1 : 2 ** (-days / halfLifeDays);
}

/**
 * Exact inference in a hidden Markov chain. The true value stays for an exponentially distributed time, then
 * is redrawn uniformly from the domain. A claim is right with its reliability, which is lower on hard facts;
 * or uniformly one of the other values, or near the true one; or a copy, which is no evidence. The states
 * after those of claimed values stand for unclaimed ones.
 */
export class TruthFilter {
  readonly #model: TruthModel;
  /**
   * Logarithms of probabilities, not normalised, per kind of fact and value: hundreds of claims of one value
   * leave the others less than the smallest number, and later claims may still raise them.
   */
  readonly #state: Float64Array;
  readonly #values: number;

  constructor(model: TruthModel) {
    this.#model = model;
    this.#values = model.near?.states ?? model.groups + 1;
    this.#state = new Float64Array(SHIFTS.length * this.#values);
    for (let value = 0; value < this.#values; value += 1) {
      this.#state[value] = Math.log((1 - model.hardShare) * this.#prior(value));
      this.#state[this.#values + value] = Math.log(model.hardShare * this.#prior(value));
    }
  }

  #prior(value: number): number {
    const { groups, domain, near } = this.#model;
    if (near !== undefined) return near.prior[value] ?? 0;
    return value < groups ? 1 / domain : (domain - groups) / domain;
  }

  /** Advances time. */
  elapse(days: number): void {
    const kept = retention(days, this.#model.halfLifeDays);
    if (kept === 1) return;
    for (let row = 0; row < this.#state.length; row += this.#values) {
      const most = this.#most(row, row + this.#values);
      if (most === -Infinity) continue;
      let mass = 0;
      for (let value = 0; value < this.#values; value += 1) mass += Math.exp(this.#at(row + value) - most);
      for (let value = 0; value < this.#values; value += 1) {
        const stays = kept * Math.exp(this.#at(row + value) - most);
        this.#state[row + value] = most + Math.log(stays + (1 - kept) * mass * this.#prior(value));
      }
    }
  }

  observe(claim: FilterClaim): void {
    const { domain, near, ofElement } = this.#model;
    const own = 1 - claim.copied;
    for (let kind = 0; kind < SHIFTS.length; kind += 1) {
      const reliability = reliabilityIn(kind, claim.logOdds, domain, ofElement);
      const right = Math.log(claim.copied + own * reliability);
      const wrong = (miss: number): number => Math.log(claim.copied + own * (1 - reliability) * miss);
      const anywhere = wrong(1 / (domain - 1));
      const away = near?.chances(kind).map(wrong);
      for (let value = 0; value < this.#values; value += 1) {
        const at = kind * this.#values + value;
        const isRight = value === claim.group;
        const missed = away?.[near?.slot(claim.group, value) ?? 0] ?? anywhere;
        this.#state[at] = this.#at(at) + (isRight ? right : missed);
      }
    }
  }

  /** Applies a calibration curve. No claim may be observed afterwards. */
  calibrate(curve: readonly CalibrationPoint[]): void {
    if (curve.length === 0 || this.#model.groups < 2) return;
    const states = this.probabilities();
    const calibrated = calibrate(curve, states, this.#model.groups);
    // What the curve leaves as it is keeps its precision.
    if (calibrated.every((state, value) => state === states[value])) return;
    this.#state.fill(-Infinity);
    this.#state.set(calibrated.map(Math.log));
  }

  /** Probabilities of the values now; from index `groups` on, of unclaimed ones. */
  probabilities(): number[] {
    const most = this.#most(0, this.#state.length);
    const weights = Array.from({ length: this.#values }, (_, value) => this.#weight(value, most));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  }

  /** Probability of a value now. */
  probability(value: number): number {
    return this.probabilities()[value] ?? 0;
  }

  /** Log-odds of a value now. The rest is summed, not subtracted, to keep precision near certainty. */
  logOdds(value: number): number {
    const own = Math.max(this.#at(value), this.#at(this.#values + value));
    let most = -Infinity;
    for (let at = 0; at < this.#state.length; at += 1)
      if (at % this.#values !== value && this.#at(at) > most) most = this.#at(at);
    let rest = 0;
    for (let other = 0; other < this.#values; other += 1)
      if (other !== value) rest += this.#weight(other, most);
    return own - most + Math.log(this.#weight(value, own) / rest);
  }

  /** Probability of a value in both kinds of fact, as a multiple of `e ** most`. */
  #weight(value: number, most: number): number {
    return Math.exp(this.#at(value) - most) + Math.exp(this.#at(this.#values + value) - most);
  }

  #most(start: number, end: number): number {
    let most = -Infinity;
    for (let at = start; at < end; at += 1) most = Math.max(most, this.#at(at));
    return most;
  }

  #at(place: number): number {
    return this.#state[place] ?? -Infinity;
  }
}
