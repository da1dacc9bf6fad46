import { COPY_RATES, LEAST_COPYING, MAX_COMPARED_SOURCES, MAX_COPY_PRIOR } from './constants.js';

/** An excess of agreements that chance gives one pair in thirty thousand. */
const SUSPICIOUS_DEVIATIONS = 4;

const RATES = Float64Array.from(COPY_RATES);

/** Evidence on which pairs of sources depend on each other, among the sources with the most claims. */
export class PairTable {
  /** Place of a source in the table, or -1. */
  readonly #placeOf: Int32Array;
  readonly #compared: number;
  /** Per pair of places: its row below, or -1 for the pairs that never agreed. */
  readonly #rowOf: Int32Array;
  #rows = 0;
  #logLikelihoods = new Float64Array(64 * RATES.length);
  #differences = new Float64Array(64);
  /** Per row, for the first and the second: by how much more of their claims would be right if the two were independent. */
  #gain = new Float64Array(64 * 2);
  #concludedGain = new Float64Array(64 * 2);
  /** Per row: how many agreements beyond the usual there could be, how many there are, and their variance. */
  #counts = new Float64Array(64 * 3);
  #probability = new Float64Array(64);
  #rate = new Float64Array(64);

  /** `claims`: per source. */
  constructor(claims: Int32Array) {
    const busiest = [...claims.keys()].toSorted((a, b) => (claims[b] ?? 0) - (claims[a] ?? 0) || a - b);
    this.#compared = Math.min(busiest.length, MAX_COMPARED_SOURCES);
    this.#placeOf = new Int32Array(claims.length).fill(-1);
    for (const [place, source] of busiest.slice(0, this.#compared).entries()) this.#placeOf[source] = place;
    this.#rowOf = new Int32Array((this.#compared * (this.#compared - 1)) / 2).fill(-1);
  }

  /** Whether copying is looked for in the claims of the source. */
  isCompared(source: number): boolean {
    return (this.#placeOf[source] ?? -1) >= 0;
  }

  #pairOf(a: number, b: number): number {
    const first = this.#placeOf[a] ?? -1;
    const second = this.#placeOf[b] ?? -1;
    if (first < 0 || second < 0) return -1;
    return first < second ? (second * (second - 1)) / 2 + first : (first * (first - 1)) / 2 + second;
  }

  /** Row of a pair of sources, or -1 where the two are not compared or never agreed. */
  rowOf(a: number, b: number): number {
    const pair = this.#pairOf(a, b);
    return pair < 0 ? -1 : (this.#rowOf[pair] ?? -1);
  }

  /** Gives a row to a pair of sources that agree somewhere. */
  enrol(a: number, b: number): void {
    const pair = this.#pairOf(a, b);
    if (pair < 0 || (this.#rowOf[pair] ?? 0) >= 0) return;
    this.#rowOf[pair] = this.#rows;
    this.#rows += 1;
    if (this.#rows * RATES.length <= this.#logLikelihoods.length) return;
    this.#logLikelihoods = doubled(this.#logLikelihoods);
    this.#counts = doubled(this.#counts);
    this.#gain = doubled(this.#gain);
    this.#concludedGain = doubled(this.#concludedGain);
    this.#differences = doubled(this.#differences);
    this.#probability = doubled(this.#probability);
    this.#rate = doubled(this.#rate);
  }

  forget(): void {
    this.#logLikelihoods.fill(0);
    this.#differences.fill(0);
    this.#gain.fill(0);
  }

  /** Counts a fact of both, and by how much they agree oftener than any two claims of its attribute. */
  addCount(row: number, agree: boolean, usualRate: number): void {
    this.#counts[row * 3] = (this.#counts[row * 3] ?? 0) + 1 - usualRate;
    this.#counts[row * 3 + 1] = (this.#counts[row * 3 + 1] ?? 0) + Number(agree) - usualRate;
    this.#counts[row * 3 + 2] = (this.#counts[row * 3 + 2] ?? 0) + usualRate * (1 - usualRate);
  }

  /**
   * Takes the pairs that agree far too often for dependent, to begin with. Learning that began by trusting a clique would find it
   * right; beginning with the doubt, the evidence of later rounds decides.
   */
  suspect(): void {
    for (let row = 0; row < this.#rows; row += 1) {
      const [room = 0, excess = 0, variance = 0] = this.#counts.subarray(row * 3, row * 3 + 3);
      if (excess <= SUSPICIOUS_DEVIATIONS * Math.sqrt(variance)) continue;
      this.#probability[row] = 1;
      this.#rate[row] = excess / room;
    }
  }

  /** Adds a fact on which the two agree, with the ratio of its likelihoods: one a copy, to both independent. */
  addAgreement(row: number, ratio: number): void {
    for (let index = 0; index < RATES.length; index += 1) {
      const at = row * RATES.length + index;
      const rate = RATES[index] ?? 0;
      this.#logLikelihoods[at] = (this.#logLikelihoods[at] ?? 0) + Math.log(1 - rate + rate * ratio);
    }
  }

  /** Adds a fact on which the two differ: none of them copied the other's claim. */
  addDifference(row: number): void {
    this.#differences[row] = (this.#differences[row] ?? 0) + 1;
  }

  /** Adds by how much likelier the claims of the two on a fact are right if the two are independent. */
  addGain(row: number, ofFirst: number, ofSecond: number): void {
    this.#gain[row * 2] = (this.#gain[row * 2] ?? 0) + ofFirst;
    this.#gain[row * 2 + 1] = (this.#gain[row * 2 + 1] ?? 0) + ofSecond;
  }

  /** How many more claims of one of a pair (0: the first in code unit order, 1: the second) would be right if the two were independent. */
  gain(row: number, which: 0 | 1): number {
    return this.#concludedGain[row * 2 + which] ?? 0;
  }

  /** Turns the evidence into probabilities. Beforehand a source is expected to depend on one other. */
  conclude(): void {
    const prior = Math.min(MAX_COPY_PRIOR, 1 / Math.max(1, this.#compared - 1));
    for (let row = 0; row < this.#rows; row += 1) this.#concludeRow(row, prior);
  }

  #concludeRow(row: number, prior: number): void {
    for (const at of [row * 2, row * 2 + 1]) this.#concludedGain[at] = this.#gain[at] ?? 0;
    const differences = this.#differences[row] ?? 0;
    let most = 0;
    for (let index = 0; index < RATES.length; index += 1) {
      const at = row * RATES.length + index;
      this.#logLikelihoods[at] = (this.#logLikelihoods[at] ?? 0) + differences * Math.log(1 - (RATES[index] ?? 0));
      most = Math.max(most, this.#logLikelihoods[at] ?? 0);
    }
    let dependent = 0;
    let weightedRate = 0;
    for (let index = 0; index < RATES.length; index += 1) {
      const evidence = this.#logLikelihoods[row * RATES.length + index] ?? 0;
      const weight = (prior / RATES.length) * Math.exp(evidence - most);
      dependent += weight;
      weightedRate += weight * (RATES[index] ?? 0);
    }
    this.#probability[row] = dependent / (dependent + (1 - prior) * Math.exp(-most));
    this.#rate[row] = dependent === 0 ? 0 : weightedRate / dependent;
  }

  /** Probability that an agreement of the pair is a copy, before its value is looked at; 0 where it is not worth a mention. */
  copying(row: number): number {
    if (row < 0) return 0;
    const copying = this.probability(row) * this.rate(row);
    return copying < LEAST_COPYING ? 0 : copying;
  }

  /** Probability that the pair is dependent. */
  probability(row: number): number {
    return this.#probability[row] ?? 0;
  }

  /** Expected share of copies among the dependent one's claims. */
  rate(row: number): number {
    return this.#rate[row] ?? 0;
  }
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(array.length * 2);
  grown.set(array);
  return grown;
}
