import { MAX_COMPARED_SOURCES } from './constants.js';

/** How often pairs of sources agree, among the sources with the most claims. */
export class PairTable {
  /** Place of a source in the table, or -1. */
  readonly #placeOf: Int32Array;
  /** Per pair of places: its row below, or -1 for the pairs without a fact in common. */
  readonly #rowOf: Int32Array;
  /** Per row: the two sources, the facts they have in common, and those on which they agree. */
  #sources = new Int32Array(64 * 2);
  #counts = new Int32Array(64 * 2);
  /** Number of sources compared. */
  readonly compared: number;
  rows = 0;

  /** `claims`: number of claims, per source. */
  constructor(readonly claims: Int32Array) {
    const busiest = [...claims.keys()].toSorted((a, b) => (claims[b] ?? 0) - (claims[a] ?? 0) || a - b);
    this.compared = Math.min(busiest.length, MAX_COMPARED_SOURCES);
    this.#placeOf = new Int32Array(claims.length).fill(-1);
    for (const [place, source] of busiest.slice(0, this.compared).entries()) this.#placeOf[source] = place;
    this.#rowOf = new Int32Array((this.compared * (this.compared - 1)) / 2).fill(-1);
  }

  #pairOf(a: number, b: number): number {
    const first = this.#placeOf[a] ?? -1;
    const second = this.#placeOf[b] ?? -1;
    if (first < 0 || second < 0) return -1;
    return first < second ? (second * (second - 1)) / 2 + first : (first * (first - 1)) / 2 + second;
  }

  /** Row of a pair of sources, or -1 where the two are not compared or have no fact in common. */
  rowOf(a: number, b: number): number {
    const pair = this.#pairOf(a, b);
    return pair < 0 ? -1 : (this.#rowOf[pair] ?? -1);
  }

  /** Counts a fact that both claim. */
  add(a: number, b: number, agree: boolean): void {
    const pair = this.#pairOf(a, b);
    if (pair < 0) return;
    let row = this.#rowOf[pair] ?? -1;
    if (row < 0) {
      row = this.rows;
      this.rows += 1;
      this.#rowOf[pair] = row;
      if (this.rows * 2 > this.#sources.length) this.#grow();
      this.#sources[row * 2] = Math.min(a, b);
      this.#sources[row * 2 + 1] = Math.max(a, b);
    }
    this.#counts[row * 2] = (this.#counts[row * 2] ?? 0) + 1;
    if (agree) this.#counts[row * 2 + 1] = (this.#counts[row * 2 + 1] ?? 0) + 1;
  }

  #grow(): void {
    const [sources, counts] = [this.#sources, this.#counts];
    this.#sources = new Int32Array(sources.length * 2);
    this.#sources.set(sources);
    this.#counts = new Int32Array(counts.length * 2);
    this.#counts.set(counts);
  }

  first(row: number): number {
    return this.#sources[row * 2] ?? 0;
  }

  second(row: number): number {
    return this.#sources[row * 2 + 1] ?? 0;
  }

  /** Facts that the two have in common. */
  facts(row: number): number {
    return this.#counts[row * 2] ?? 0;
  }

  agreements(row: number): number {
    return this.#counts[row * 2 + 1] ?? 0;
  }
}
