import type { NearErrors } from './NearErrors.js';
import { NEAR_DOMAIN, slotOf } from './NearErrors.js';

/** With more claimed values the gaps between them are not told apart: their number bounds the cost. */
const MAX_PARTED_VALUES = 100;

/**
 * The values of one fact on the scale of its attribute. Its states are the claimed values, then the gaps
 * between them and those beside them as far as errors reach, each for the values in it, and last all others.
 */
export class Neighbourhood {
  states = 0;
  /** Per state: prior probability. */
  prior = new Float64Array(0);
  /** Per state: its place in steps, of a gap its middle; `NaN` if it has none. */
  #places = new Float64Array(0);
  /** Per claimed value and state: the slot of their distance. */
  #slots = new Uint8Array(0);
  #errors: NearErrors | undefined;

  /** `places`: per claimed value, in steps; `NaN` where it is no number. */
  arrange(places: ArrayLike<number>, groups: number, errors: NearErrors): void {
    const { reach } = errors;
    this.#errors = errors;
    this.#reserve(2 * (groups + 1) * (1 + reach.length));
    for (let group = 0; group < groups; group += 1) this.#place(group, places[group] ?? Number.NaN, 1);
    this.states = groups;
    const claimed = this.#places.slice(0, groups).filter((place) => !Number.isNaN(place));
    if (groups <= MAX_PARTED_VALUES) this.#addGaps(claimed.sort(), reach);
    let placed = 0;
    for (let state = 0; state < this.states; state += 1) placed += this.prior[state] ?? 0;
    const others = Math.max(1, NEAR_DOMAIN - placed);
    this.#place(this.states, Number.NaN, others);
    this.states += 1;
    for (let state = 0; state < this.states; state += 1)
      this.prior[state] = (this.prior[state] ?? 0) / (placed + others);
    if (this.#slots.length < groups * this.states) this.#slots = new Uint8Array(2 * groups * this.states);
    for (let group = 0; group < groups; group += 1) this.#measure(group);
  }

  #measure(group: number): void {
    const { states } = this;
    const first = group * states;
    const slots = this.#slots;
    const own = this.#places[group] ?? 0;
    for (let state = 0; state < states; state += 1)
      slots[first + state] = slotOf(own - (this.#places[state] ?? 0));
  }

  #reserve(states: number): void {
    if (this.prior.length >= states) return;
    this.prior = new Float64Array(2 * states);
    this.#places = new Float64Array(2 * states);
  }

  #place(state: number, place: number, values: number): void {
    this.#places[state] = place;
    this.prior[state] = values;
  }

  /** `sorted`: places of claimed values, rising. */
  #addGaps(sorted: Float64Array, reach: NearErrors['reach']): void {
    const [first] = sorted;
    if (first === undefined) return;
    const within = 2 * reach.reduce((sum, { values }) => sum + values, 0);
    let last = first;
    for (const above of sorted) {
      const values = Math.round(above - last) - 1;
      if (values > within) this.#addReach(last, above, reach);
      else if (values >= 1) this.#addGap((last + above) / 2, values);
      last = above;
    }
    this.#addReach(last, first, reach);
  }

  /** The values above one place and below another, as far as errors reach. */
  #addReach(last: number, first: number, reach: NearErrors['reach']): void {
    for (const { steps, values } of reach) {
      this.#addGap(first - steps, values);
      this.#addGap(last + steps, values);
    }
  }

  #addGap(place: number, values: number): void {
    this.#place(this.states, place, values);
    this.states += 1;
  }

  /** The slot of the distance between a claimed value and a state. */
  slot(group: number, state: number): number {
    return this.#slots[group * this.states + state] ?? 0;
  }

  /** As `slot`, at the claimed value times the number of states, plus the state. */
  get slots(): Uint8Array {
    return this.#slots;
  }

  /** Per slot: probability that a wrong claim is of a claimed value so far from the true state. */
  chances(kind: number): Float64Array {
    return this.#errors?.chances(kind) ?? new Float64Array(0);
  }

  /** Probability that a wrong claim is of a claimed value, given the true state. */
  miss(kind: number, group: number, state: number): number {
    return this.chances(kind)[this.slot(group, state)] ?? 0;
  }
}
