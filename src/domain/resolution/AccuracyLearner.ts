import { AgreementBaseline } from './AgreementBaseline.js';
import type { LearningData } from './ClaimTable.js';
import { CONVERGED, MAX_COMPARED_CLAIMS, MAX_ROUNDS, RELIABILITY_MARGIN } from './constants.js';
import { FactSmoother } from './FactSmoother.js';
import { FalseAgreement } from './FalseAgreement.js';
import { clamp, logistic } from './logOdds.js';
import { PairTable } from './PairTable.js';
import { snapshotOf } from './snapshotOf.js';
import { SourceModel } from './SourceModel.js';
import { retention } from './truthFilter.js';
import type { AccuracySnapshot } from './types.js';

/** Odds beyond this on one fact say no more about two sources: the model is never that sure. */
const SURE = 1e4;

const FIRST_PAIR_ROUNDS = 4;
const PAIR_ROUND_INTERVAL = 4;

function clampedAccuracy(share: number): number {
  return clamp(share, RELIABILITY_MARGIN, 1 - RELIABILITY_MARGIN);
}

function countBySource(data: LearningData): Int32Array {
  const counts = new Int32Array(data.sources.length);
  for (const source of data.sourceOf) counts[source] = (counts[source] ?? 0) + 1;
  return counts;
}

/**
 * Generalised expectation maximisation over a `ClaimTable`: which claims were right, which sources are reliable, which of them copy and
 * how often wrong claims agree, each from the others. Deterministic; call `advance` until it says that learning is done.
 */
export class AccuracyLearner {
  readonly #data: LearningData;
  readonly #smoother: FactSmoother;
  readonly #sources: SourceModel;
  readonly #pairs: PairTable;
  readonly #falseAgreement: FalseAgreement;
  readonly #baseline: AgreementBaseline;
  /** Before round 0, one round enrols the pairs of sources that agree somewhere, and one finds those that agree too often. */
  #round = -2;
  #fact = 0;
  #isDone = false;
  #reliability = new Float64Array(0);
  #copied = new Float64Array(0);
  #right = new Float64Array(0);
  #wrong = new Float64Array(0);

  constructor(data: LearningData) {
    this.#data = data;
    this.#smoother = new FactSmoother(data);
    this.#sources = new SourceModel(data.sources.length);
    this.#pairs = new PairTable(countBySource(data));
    this.#falseAgreement = new FalseAgreement(data.attributes.length);
    this.#baseline = new AgreementBaseline(data.attributes.length);
    this.#isDone = data.starts.length < 2;
  }

  /** Works through about so many facts and tells whether learning is done. */
  advance(facts: number): boolean {
    const last = this.#data.starts.length - 1;
    for (let count = 0; count < facts && !this.#isDone; count += 1) {
      if (this.#round < 0) this.#count(this.#fact);
      else this.#expect(this.#fact);
      this.#fact += 1;
      if (this.#fact === last) this.#endRound();
    }
    return this.#isDone;
  }

  #count(fact: number): void {
    const { starts, sourceOf, groupOf, attributeOf } = this.#data;
    const attribute = attributeOf[fact] ?? 0;
    const end = starts[fact + 1] ?? 0;
    for (let b = Math.max(starts[fact] ?? 0, end - MAX_COMPARED_CLAIMS); b < end; b += 1) {
      for (let a = Math.max(starts[fact] ?? 0, end - MAX_COMPARED_CLAIMS); a < b; a += 1) {
        this.#countPair(attribute, sourceOf[a] ?? 0, sourceOf[b] ?? 0, groupOf[a] === groupOf[b]);
      }
    }
  }

  #countPair(attribute: number, a: number, b: number, agree: boolean): void {
    if (this.#round === -2) {
      this.#baseline.add(attribute, agree);
      if (agree) this.#pairs.enrol(a, b);
    } else {
      const row = this.#pairs.rowOf(a, b);
      if (row >= 0) this.#pairs.addCount(row, agree, this.#baseline.rate(attribute));
    }
  }

  #endRound(): void {
    const hasComparedPairs = this.#comparesPairs();
    this.#fact = 0;
    this.#round += 1;
    if (this.#round === 0) this.#pairs.suspect();
    if (this.#round <= 0) return;
    const change = this.#sources.update();
    if (hasComparedPairs) {
      this.#falseAgreement.update();
      this.#pairs.conclude();
    }
    this.#isDone = this.#round >= MAX_ROUNDS || (this.#round > PAIR_ROUND_INTERVAL && change < CONVERGED);
    if (this.#isDone) return;
    this.#sources.forget();
    if (!this.#comparesPairs()) return;
    this.#falseAgreement.forget();
    this.#pairs.forget();
  }

  #expect(fact: number): void {
    const start = this.#data.starts[fact] ?? 0;
    const size = (this.#data.starts[fact + 1] ?? 0) - start;
    const attribute = this.#data.attributeOf[fact] ?? 0;
    const groups = this.#data.groupsOf[fact] ?? 0;
    const domain = Math.max(2, groups, 1 + 1 / this.#falseAgreement.of(attribute));
    this.#prepare(start, size, domain);
    this.#smoother.smooth(fact, domain, this.#right, this.#wrong);
    this.#addClaims(start, size, domain);
    if (this.#comparesPairs()) this.#addPairs(start, size, attribute, domain);
  }

  /** Pairs are many and settle early: they are looked at in the first rounds and then in every fourth. */
  #comparesPairs(): boolean {
    return this.#round < FIRST_PAIR_ROUNDS || this.#round % PAIR_ROUND_INTERVAL === 0;
  }

  #prepare(start: number, size: number, domain: number): void {
    if (this.#right.length < size) {
      this.#reliability = new Float64Array(2 * size);
      this.#copied = new Float64Array(2 * size);
      this.#right = new Float64Array(2 * size);
      this.#wrong = new Float64Array(2 * size);
    }
    for (let claim = 0; claim < size; claim += 1) {
      const at = start + claim;
      this.#reliability[claim] = this.#sources.reliability(this.#data.sourceOf[at] ?? 0, this.#data.statedOf[at] ?? 0);
    }
    for (let claim = 0; claim < size; claim += 1) {
      const copied = this.#copiedProbability(start, claim, size);
      const reliability = this.#reliability[claim] ?? 0;
      this.#copied[claim] = copied;
      this.#right[claim] = copied + (1 - copied) * reliability;
      this.#wrong[claim] = copied + ((1 - copied) * (1 - reliability)) / (domain - 1);
    }
  }

  /** Probability that the claim was copied from one that came before it, as `factClaims` has it. */
  #copiedProbability(start: number, claim: number, size: number): number {
    const { sourceOf, groupOf } = this.#data;
    let own = 1;
    for (let other = 0; other < size; other += 1) {
      if (groupOf[start + other] !== groupOf[start + claim] || !this.#isBefore(start, other, claim)) continue;
      own *= 1 - this.#pairs.copying(this.#pairs.rowOf(sourceOf[start + other] ?? 0, sourceOf[start + claim] ?? 0));
    }
    return 1 - own;
  }

  #isBefore(start: number, a: number, b: number): boolean {
    if (a === b) return false;
    const days = (this.#data.dayOf[start + a] ?? 0) - (this.#data.dayOf[start + b] ?? 0);
    if (days !== 0) return days < 0;
    const reliability = (this.#reliability[a] ?? 0) - (this.#reliability[b] ?? 0);
    return reliability === 0 ? a < b : reliability > 0;
  }

  #addClaims(start: number, size: number, domain: number): void {
    for (let claim = 0; claim < size; claim += 1) {
      const posterior = this.#smoother.posterior[claim] ?? 0;
      const reliability = this.#reliability[claim] ?? 0;
      const copied = this.#copied[claim] ?? 0;
      const ownLikelihood = posterior * reliability + ((1 - posterior) * (1 - reliability)) / (domain - 1);
      const own = copied === 0 ? 1 : ((1 - copied) * ownLikelihood) / (copied + (1 - copied) * ownLikelihood);
      const at = start + claim;
      this.#sources.add(this.#data.sourceOf[at] ?? 0, this.#data.statedOf[at] ?? 0, reliability, posterior, own);
    }
  }

  #addPairs(start: number, size: number, attribute: number, domain: number): void {
    const { sourceOf, groupOf, dayOf } = this.#data;
    const halfLife = this.#data.halfLives[attribute] ?? Infinity;
    for (let b = Math.max(1, size - MAX_COMPARED_CLAIMS); b < size; b += 1) {
      for (let a = Math.max(0, size - MAX_COMPARED_CLAIMS); a < b; a += 1) {
        const agree = groupOf[start + a] === groupOf[start + b];
        const row = this.#pairs.rowOf(sourceOf[start + a] ?? 0, sourceOf[start + b] ?? 0);
        const same = retention(Math.abs((dayOf[start + b] ?? 0) - (dayOf[start + a] ?? 0)), halfLife);
        const own = agree ? this.#ownAgreement(b, this.#pairs.copying(row), domain) : 1;
        this.#falseAgreement.add(attribute, own * this.#bothWrong(a, b, agree, same), agree);
        if (row < 0) continue;
        if (agree) this.#addAgreement(row, start, a, b, domain);
        else this.#pairs.addDifference(row);
      }
    }
  }

  /** Probability that two wrong claims agree by chance and not because `b` is a copy. */
  #ownAgreement(b: number, copying: number, domain: number): number {
    const chance = ((1 - copying) * (1 - (this.#reliability[b] ?? 0))) / (domain - 1);
    return chance / (copying + chance);
  }

  /** The truth is one and the same for both with the probability that it has not changed in between. */
  #bothWrong(a: number, b: number, agree: boolean, same: number): number {
    const rightA = this.#smoother.posterior[a] ?? 0;
    const rightB = this.#smoother.posterior[b] ?? 0;
    const ofOneTruth = agree ? 1 - Math.max(rightA, rightB) : Math.max(0, 1 - rightA - rightB);
    return same * ofOneTruth + (1 - same) * (1 - rightA) * (1 - rightB);
  }

  /**
   * Compares the likelihoods of an agreement when `b` copied `a` and when both are independent. The two have no vote on what is
   * true, and are as accurate as they would be if they were independent: two that are always right agree without copying.
   */
  #addAgreement(row: number, start: number, a: number, b: number, domain: number): void {
    const [first, second] = [this.#data.sourceOf[start + a] ?? 0, this.#data.sourceOf[start + b] ?? 0];
    const isOrdered = first < second;
    const p = clampedAccuracy(this.#sources.rightness(first, this.#pairs.gain(row, isOrdered ? 0 : 1)));
    const q = clampedAccuracy(this.#sources.rightness(second, this.#pairs.gain(row, isOrdered ? 1 : 0)));
    const right = this.#rightWithout(a, b);
    const bothRight = right * p * q;
    const bothWrong = ((1 - right) * (1 - p) * (1 - q)) / (domain - 1) ** 2;
    const original = right * p + ((1 - right) * (1 - p)) / (domain - 1);
    this.#pairs.addAgreement(row, original / (bothRight + bothWrong));
    const posterior = bothRight / (bothRight + bothWrong);
    const [gainA, gainB] = [
      posterior - (this.#smoother.posterior[a] ?? 0),
      posterior - (this.#smoother.posterior[b] ?? 0),
    ];
    this.#pairs.addGain(row, isOrdered ? gainA : gainB, isOrdered ? gainB : gainA);
  }

  /** Posterior of the value on which the two agree, from the claims of all others. */
  #rightWithout(a: number, b: number): number {
    const both = Math.min(this.#smoother.posterior[a] ?? 0, this.#smoother.posterior[b] ?? 0);
    const posterior = clamp(both, 1e-12, 1 - 1e-12);
    const votes = ((this.#right[a] ?? 0) * (this.#right[b] ?? 0)) / ((this.#wrong[a] ?? 1) * (this.#wrong[b] ?? 1));
    return logistic(Math.log(clamp(posterior / (1 - posterior) / votes, 1 / SURE, SURE)));
  }

  /** What has been learned. */
  snapshot(version: number): AccuracySnapshot {
    return snapshotOf(version, this.#data, this.#sources, this.#pairs, this.#falseAgreement);
  }
}
