import { MAX_COMPARED_SOURCES } from './constants.js';

/** How often pairs of sources agree, among the sources with the most claims. */
export class PairTable {
  /** Place of a source in the table, or -1. */
  readonly #placeOf: Int32Array;
  /** Per pair of places: its row below, or -1 for the pairs without a fact in common. */
  readonly #rowOf: Int32Array;
  /** Per row: the two sources, the facts they have in common, and those on which they agree. */
  #cells = new Int32Array(64 * 4);
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
      if (this.rows * 4 > this.#cells.length) this.#grow();
      this.#cells.set([Math.min(a, b), Math.max(a, b)], row * 4);
    }
    this.#cells[row * 4 + 2] = this.facts(row) + 1;
    if (agree) this.#cells[row * 4 + 3] = this.agreements(row) + 1;
  }

  #grow(): void {
    const cells = this.#cells;
    this.#cells = new Int32Array(cells.length * 2);
    this.#cells.set(cells);
  }

  first(row: number): number {
    return this.#cells[row * 4] ?? 0;
  }

  second(row: number): number {
    return this.#cells[row * 4 + 1] ?? 0;
  }

  /** Facts that the two have in common. */
  facts(row: number): number {
    return this.#cells[row * 4 + 2] ?? 0;
  }

  agreements(row: number): number {
    return this.#cells[row * 4 + 3] ?? 0;
  }
}
