import type { NearErrors } from './NearErrors.js';
import { NEAR_DOMAIN } from './NearErrors.js';
import { SHIFTS } from './reliabilityIn.js';

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
  /** Per claimed value and state: their distance. */
  #steps = new Float64Array(0);
  /** Per kind of fact, claimed value and state. */
  readonly #misses = SHIFTS.map(() => new Float64Array(0));

  /** `places`: per claimed value, in steps; `NaN` where it is no number. */
  arrange(places: ArrayLike<number>, groups: number, errors: NearErrors): void {
    const reach = errors.reach;
    this.#reserve(groups, 2 * groups + 2 * reach.length);
    for (let group = 0; group < groups; group += 1) this.#place(group, places[group] ?? Number.NaN, 1);
    this.states = groups;
    this.#addGaps(
      this.#places
        .slice(0, groups)
        .filter((place) => !Number.isNaN(place))
        .sort(),
      reach,
    );
    const placed = this.prior.subarray(0, this.states).reduce((sum, values) => sum + values, 0);
    this.#place(this.states, Number.NaN, Math.max(1, NEAR_DOMAIN - placed));
    this.states += 1;
    const total = placed + Math.max(1, NEAR_DOMAIN - placed);
    for (let state = 0; state < this.states; state += 1)
      this.#place(state, this.#places[state] ?? 0, (this.prior[state] ?? 0) / total);
    for (let group = 0; group < groups; group += 1) this.#measure(group, errors);
  }

  #measure(group: number, errors: NearErrors): void {
    const own = this.#places[group] ?? 0;
    for (let state = 0; state < this.states; state += 1) {
      const steps = Math.max(1, Math.round(Math.abs(own - (this.#places[state] ?? 0))));
      const at = group * this.states + state;
      this.#steps[at] = steps;
      for (let kind = 0; kind < SHIFTS.length; kind += 1) {
        const misses = this.#misses[kind];
        if (misses !== undefined) misses[at] = errors.probability(kind, steps);
      }
    }
  }

  #reserve(groups: number, states: number): void {
    if (this.prior.length < states) {
      this.prior = new Float64Array(2 * states);
      this.#places = new Float64Array(2 * states);
    }
    if (this.#steps.length >= groups * states) return;
    this.#steps = new Float64Array(2 * groups * states);
    for (const kind of this.#misses.keys()) this.#misses[kind] = new Float64Array(2 * groups * states);
  }

  #place(state: number, place: number, values: number): void {
    this.#places[state] = place;
    this.prior[state] = values;
  }

  /** `sorted`: places of claimed values, rising. */
  #addGaps(sorted: Float64Array, reach: readonly { steps: number; values: number }[]): void {
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined) return;
    for (const [index, above] of sorted.entries()) {
      const below = sorted[index - 1] ?? above;
      const values = Math.round(above - below) - 1;
      if (values >= 1) this.#addGap((below + above) / 2, values);
    }
    for (const { steps, values } of reach) {
      this.#addGap(first - steps, values);
      this.#addGap(last + steps, values);
    }
  }

  #addGap(place: number, values: number): void {
    this.#place(this.states, place, values);
    this.states += 1;
  }

  /** Distance of a state from a claimed value: whole steps, at least 1; `NaN` if one of them has no place. */
  steps(group: number, state: number): number {
    return this.#steps[group * this.states + state] ?? Number.NaN;
  }

  /** As `miss`, at the claimed value times the number of states, plus the state. */
  misses(kind: number): Float64Array {
    return this.#misses[kind] ?? new Float64Array(0);
  }

  /** Probability that a wrong claim is of a claimed value, given the true state. */
  miss(kind: number, group: number, state: number): number {
    return this.#misses[kind]?.[group * this.states + state] ?? 0;
  }
}
