import type { Neighbourhood } from './Neighbourhood.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';
import { retention } from './truthFilter.js';

/** Range of a fact's claims, and the parameters of its attribute. */
export interface FactSpan {
  start: number;
  size: number;
  /** Number of distinct values. */
  groups: number;
  /** Number of plausible values, claimed or not. */
  domain: number;
  halfLifeDays: number;
  /** Absent: a wrong claim is of any other value alike. */
  near?: Neighbourhood | undefined;
}

/** Most likelihoods whose product stays within floating-point range, if no ratio of two exceeds 1e6. */
const MAX_FACTORS = 40;

/** Products of likelihoods are kept above this, so that they stay within floating-point range. */
const MIN_PRODUCT = 1e-100;

class Pass {
  constructor(readonly kind: number) {}

  forward = new Float64Array(0);
  backward = new Float64Array(0);
  /** Per claim: probability that it was right when observed. */
  posterior = new Float64Array(0);
  /** Per claim: reliability, and likelihoods given that its value is true and that another one is. */
  reliability = new Float64Array(0);
  right = new Float64Array(0);
  wrong = new Float64Array(0);
  /** Per claim: probability that it is a copy, and that it is its source's own error. */
  copied = new Float64Array(0);
  astray = new Float64Array(0);
  logEvidence = 0;

  reserve(size: number, states: number): void {
    if (this.forward.length < size * states) {
      this.forward = new Float64Array(2 * size * states);
      this.backward = new Float64Array(2 * size * states);
    }
    if (this.posterior.length >= size) return;
    this.posterior = new Float64Array(2 * size);
    this.reliability = new Float64Array(2 * size);
    this.right = new Float64Array(2 * size);
    this.wrong = new Float64Array(2 * size);
    this.copied = new Float64Array(2 * size);
    this.astray = new Float64Array(2 * size);
  }
}

/**
 * Forward-backward algorithm for the hidden Markov chain of `TruthFilter`, once for easy and once for hard
 * facts: which values were true when each claim was made, given all claims of the fact. It reuses typed
 * arrays instead of allocating.
 */
export class FactSmoother {
  readonly #groupOf: Int32Array;
  readonly #dayOf: Float32Array | Float64Array;
  readonly #passes = SHIFTS.map((_, kind) => new Pass(kind));
  readonly #weights = new Float64Array(SHIFTS.length);
  #span: FactSpan = { start: 0, size: 0, groups: 0, domain: 2, halfLifeDays: Infinity };
  #isStatic = true;
  #states = 0;
  /** Per state. */
  #priors = new Float64Array(0);
  /** Per claim: probability that the true value does not change before the next claim. */
  #kept = new Float64Array(0);
  /** Per claim of the fact last smoothed: probability that it was right when observed. */
  posterior = new Float64Array(0);
  logEvidence = 0;

  constructor(groupOf: Int32Array, dayOf: Float32Array | Float64Array) {
    this.#groupOf = groupOf;
    this.#dayOf = dayOf;
  }

  /** `logOdds` and `copied`: per claim of the fact. A claim copied with probability 1 is no evidence. */
  smooth(span: FactSpan, logOdds: Float64Array, copied: Float64Array, hardShare: number): void {
    this.#span = span;
    this.#states = span.near?.states ?? span.groups + 1;
    const last = span.start + span.size - 1;
    this.#isStatic = span.halfLifeDays === Infinity || this.#dayOf[last] === this.#dayOf[span.start];
    if (this.posterior.length < span.size) this.posterior = new Float64Array(2 * span.size);
    if (!this.#isStatic) this.#measureTime();
    if (!this.#isStatic || span.near !== undefined) this.#fillPriors();
    for (let kind = 0; kind < this.#passes.length; kind += 1) {
      const pass = this.#passes[kind] ?? new Pass(kind);
      this.#weights[kind] = kind === 0 ? 1 - hardShare : hardShare;
      if (this.#weights[kind] === 0) continue;
      pass.reserve(span.size, this.#states);
      this.#emit(pass, kind, logOdds, copied);
      if (this.#isStatic) this.#passStatic(pass);
      else this.#passChanging(pass);
    }
    this.#mix();
  }

  #emit(pass: Pass, kind: number, logOdds: Float64Array, copied: Float64Array): void {
    const { size, domain } = this.#span;
    for (let claim = 0; claim < size; claim += 1) {
      const reliability = reliabilityIn(kind, logOdds[claim] ?? 0, domain);
      const copy = copied[claim] ?? 0;
      pass.reliability[claim] = reliability;
      pass.right[claim] = copy + (1 - copy) * reliability;
      pass.copied[claim] = copy;
      pass.astray[claim] = (1 - copy) * (1 - reliability);
      pass.wrong[claim] = copy + (pass.astray[claim] ?? 0) / (domain - 1);
    }
  }

  /** If the value cannot have changed, order is irrelevant: each claim adds to the log-odds of its value. */
  #passStatic(pass: Pass): void {
    if (this.#span.near !== undefined) this.#addNear(pass, this.#span.near);
    else if (this.#span.size <= MAX_FACTORS) this.#multiply(pass);
    else this.#addLogarithms(pass);
    const { start, size } = this.#span;
    for (let claim = 0; claim < size; claim += 1) {
      pass.posterior[claim] = pass.forward[this.#groupOf[start + claim] ?? 0] ?? 0;
    }
  }

  #fillPriors(): void {
    const { near, groups, domain } = this.#span;
    const states = this.#states;
    if (this.#priors.length < states) this.#priors = new Float64Array(2 * states);
    for (let state = 0; state < states; state += 1) {
      if (near !== undefined) this.#priors[state] = near.prior[state] ?? 0;
      else this.#priors[state] = state < groups ? 1 / domain : (domain - groups) / domain;
    }
  }

  /** Likelihood of a claim, given where its value lies from the true one. */
  #likelihood(pass: Pass, claim: number, state: number, near: Neighbourhood): number {
    const own = this.#groupOf[this.#span.start + claim] ?? 0;
    if (state === own) return pass.right[claim] ?? 1;
    return (pass.copied[claim] ?? 0) + (pass.astray[claim] ?? 0) * near.miss(pass.kind, own, state);
  }

  /**
   * Rescales the votes before they leave floating-point range. The formula is that of `#likelihood`; a call
   * for each state would make learning from such numbers a tenth slower.
   */
  #addNear(pass: Pass, near: Neighbourhood): void {
    const { start, size } = this.#span;
    const states = this.#states;
    const votes = pass.forward;
    const { slots } = near;
    const chances = near.chances(pass.kind);
    votes.set(this.#priors.subarray(0, states));
    pass.logEvidence = 0;
    for (let claim = 0; claim < size; claim += 1) {
      const own = this.#groupOf[start + claim] ?? 0;
      const copied = pass.copied[claim] ?? 0;
      const astray = pass.astray[claim] ?? 0;
      let total = 0;
      for (let state = 0; state < states; state += 1) {
        const wrong = copied + astray * (chances[slots[own * states + state] ?? 0] ?? 0);
        const vote = (votes[state] ?? 0) * (state === own ? (pass.right[claim] ?? 1) : wrong);
        votes[state] = vote;
        total += vote;
      }
      if (total > MIN_PRODUCT && claim + 1 < size) continue;
      pass.logEvidence += Math.log(total);
      for (let state = 0; state < states; state += 1) votes[state] = (votes[state] ?? 0) / total;
    }
  }

  /** For at most `MAX_FACTORS` claims: no logarithms are needed. */
  #multiply(pass: Pass): void {
    const { start, size, groups, domain } = this.#span;
    const votes = pass.forward;
    votes.fill(1 / domain, 0, groups);
    votes[groups] = (domain - groups) / domain;
    let common = 1;
    for (let claim = 0; claim < size; claim += 1) {
      const group = this.#groupOf[start + claim] ?? 0;
      const wrong = pass.wrong[claim] ?? 1;
      common *= wrong;
      votes[group] = ((votes[group] ?? 0) * (pass.right[claim] ?? 1)) / wrong;
    }
    let total = 0;
    for (let state = 0; state <= groups; state += 1) total += votes[state] ?? 0;
    for (let state = 0; state <= groups; state += 1) votes[state] = (votes[state] ?? 0) / total;
    pass.logEvidence = Math.log(common) + Math.log(total);
  }

  #addLogarithms(pass: Pass): void {
    const { start, size, groups, domain } = this.#span;
    const votes = pass.forward;
    votes.fill(0, 0, groups + 1);
    let common = 0;
    for (let claim = 0; claim < size; claim += 1) {
      const group = this.#groupOf[start + claim] ?? 0;
      const wrong = Math.log(pass.wrong[claim] ?? 1);
      common += wrong;
      votes[group] = (votes[group] ?? 0) + Math.log(pass.right[claim] ?? 1) - wrong;
    }
    let most = 0;
    for (let state = 0; state <= groups; state += 1) most = Math.max(most, votes[state] ?? 0);
    let total = 0;
    for (let state = 0; state <= groups; state += 1) {
      const prior = state < groups ? 1 / domain : (domain - groups) / domain;
      const weight = prior * Math.exp((votes[state] ?? 0) - most);
      votes[state] = weight;
      total += weight;
    }
    for (let state = 0; state <= groups; state += 1) votes[state] = (votes[state] ?? 0) / total;
    pass.logEvidence = common + most + Math.log(total);
  }

  #passChanging(pass: Pass): void {
    this.#passForward(pass);
    this.#passBackward(pass);
    const { start, size } = this.#span;
    const states = this.#states;
    for (let claim = 0; claim < size; claim += 1) {
      const row = claim * states;
      let total = 0;
      for (let state = 0; state < states; state += 1) {
        const smoothed = (pass.forward[row + state] ?? 0) * (pass.backward[row + state] ?? 0);
        pass.backward[row + state] = smoothed;
        total += smoothed;
      }
      for (let state = 0; state < states; state += 1) {
        pass.backward[row + state] = (pass.backward[row + state] ?? 0) / total;
      }
      pass.posterior[claim] = pass.backward[row + (this.#groupOf[start + claim] ?? 0)] ?? 0;
    }
  }

  #measureTime(): void {
    const { start, size, halfLifeDays } = this.#span;
    if (this.#kept.length < size) this.#kept = new Float64Array(2 * size);
    for (let claim = 0; claim + 1 < size; claim += 1) {
      const days = (this.#dayOf[start + claim + 1] ?? 0) - (this.#dayOf[start + claim] ?? 0);
      this.#kept[claim] = retention(days, halfLifeDays);
    }
  }

  #passForward(pass: Pass): void {
    const { start, size, near } = this.#span;
    const { forward, right, wrong } = pass;
    const states = this.#states;
    pass.logEvidence = 0;
    for (let claim = 0; claim < size; claim += 1) {
      const row = claim * states;
      const kept = claim === 0 ? 0 : (this.#kept[claim - 1] ?? 0);
      const own = this.#groupOf[start + claim] ?? 0;
      let total = 0;
      for (let state = 0; state < states; state += 1) {
        const prior = this.#priors[state] ?? 0;
        const before = claim === 0 ? prior : kept * (forward[row - states + state] ?? 0) + (1 - kept) * prior;
        const even = (state === own ? right[claim] : wrong[claim]) ?? 0;
        const weight = before * (near === undefined ? even : this.#likelihood(pass, claim, state, near));
        forward[row + state] = weight;
        total += weight;
      }
      for (let state = 0; state < states; state += 1)
        forward[row + state] = (forward[row + state] ?? 0) / total;
      pass.logEvidence += Math.log(total);
    }
  }

  #passBackward(pass: Pass): void {
    const { start, size, near } = this.#span;
    const { backward, right, wrong } = pass;
    const states = this.#states;
    backward.fill(1, (size - 1) * states, size * states);
    for (let claim = size - 2; claim >= 0; claim -= 1) {
      const row = claim * states;
      const kept = this.#kept[claim] ?? 0;
      const own = this.#groupOf[start + claim + 1] ?? 0;
      let expected = 0;
      for (let state = 0; state < states; state += 1) {
        const prior = this.#priors[state] ?? 0;
        const even = (state === own ? right[claim + 1] : wrong[claim + 1]) ?? 0;
        const likelihood = near === undefined ? even : this.#likelihood(pass, claim + 1, state, near);
        const weight = likelihood * (backward[row + states + state] ?? 0);
        backward[row + state] = weight;
        expected += prior * weight;
      }
      for (let state = 0; state < states; state += 1) {
        backward[row + state] = (kept * (backward[row + state] ?? 0) + (1 - kept) * expected) / expected;
      }
    }
  }

  #mix(): void {
    const easy = this.#passes[0];
    const hard = this.#passes[1];
    const easyShare = this.#weights[0] ?? 0;
    const hardShare = this.#weights[1] ?? 0;
    if (easy === undefined || hard === undefined) return;
    const most = hardShare === 0 ? easy.logEvidence : Math.max(easy.logEvidence, hard.logEvidence);
    const easyWeight = easyShare === 0 ? 0 : easyShare * Math.exp(easy.logEvidence - most);
    const hardWeight = hardShare === 0 ? 0 : hardShare * Math.exp(hard.logEvidence - most);
    const total = easyWeight + hardWeight;
    this.logEvidence = most + Math.log(total);
    this.#weights[0] = easyWeight / total;
    this.#weights[1] = hardWeight / total;
    for (let claim = 0; claim < this.#span.size; claim += 1) {
      const ofEasy = easyWeight === 0 ? 0 : easyWeight * (easy.posterior[claim] ?? 0);
      const ofHard = hardWeight === 0 ? 0 : hardWeight * (hard.posterior[claim] ?? 0);
      this.posterior[claim] = (ofEasy + ofHard) / total;
    }
  }

  /** Posterior probability that the fact is an easy (0) or a hard (1) one. */
  weight(kind: number): number {
    return this.#weights[kind] ?? 0;
  }

  /** As `posterior`, given the kind of fact. */
  posteriorIn(kind: number, claim: number): number {
    return this.#passes[kind]?.posterior[claim] ?? 0;
  }

  /** Probability that a value was true when the claim was made, given the kind of fact. */
  stateIn(kind: number, claim: number, state: number): number {
    const pass = this.#passes[kind];
    if (pass === undefined) return 0;
    return (this.#isStatic ? pass.forward[state] : pass.backward[claim * this.#states + state]) ?? 0;
  }

  /** Probability that a wrong claim is of a value, given the true state. */
  miss(kind: number, group: number, state: number): number {
    return this.#span.near?.miss(kind, group, state) ?? 1 / (this.#span.domain - 1);
  }

  /** Probability that the value is wrong when the claim was made, and that a wrong claim is of it. */
  missIn(kind: number, claim: number, group = this.#groupOf[this.#span.start + claim] ?? 0): number {
    const { near, domain } = this.#span;
    if (near === undefined) return (1 - this.stateIn(kind, claim, group)) / (domain - 1);
    let sum = 0;
    for (let state = 0; state < near.states; state += 1)
      if (state !== group) sum += this.stateIn(kind, claim, state) * near.miss(kind, group, state);
    return sum;
  }

  /** Probability that a value was true when the claim was made. */
  state(claim: number, state: number): number {
    let sum = 0;
    for (let kind = 0; kind < SHIFTS.length; kind += 1) {
      const weight = this.weight(kind);
      if (weight > 0) sum += weight * this.stateIn(kind, claim, state);
    }
    return sum;
  }
}
