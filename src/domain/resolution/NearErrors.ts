import { SHIFTS } from './reliabilityIn.js';
import type { ErrorShares } from './types.js';

/** Plausible values where distances count: many, as wrong claims that are not near the truth hardly agree. */
export const NEAR_DOMAIN = 1000;

/** Bins of distance, in steps: 1, 2, 3 to 4, 5 to 8, and so on. Whatever is farther is anywhere. */
const BINS = 12;
const MAX_STEPS = 2 ** (BINS - 1);

/** Least share of a distance at which values beyond all claims are states of their own. */
const MIN_REACH_SHARE = 0.01;

/** Prior weights, in wrong claims: of errors anywhere, and of each bin. */
const EVEN_CLAIMS = 1;
const NEAR_CLAIMS = 0.02;

/** Wrong claims that are counted in a round. More would change the shares little, and each takes time. */
const MAX_COUNTED = 50_000;

/** Per distance up to `MAX_STEPS`: its place among shares, of which the first is of errors anywhere. */
const SLOTS = Uint8Array.from({ length: MAX_STEPS + 1 }, (_, steps) =>
  steps === 0 ? 0 : 1 + Math.ceil(Math.log2(steps)),
);

/** The place among shares of the distance between two values, in steps; `NaN`: one of them has no place. */
export function slotOf(distance: number): number {
  const steps = Math.max(1, Math.round(Math.abs(distance)));
  return steps <= MAX_STEPS ? (SLOTS[steps] ?? 0) : 0;
}

/** How many values lie at the distances of a slot, above and below the truth together. */
function valuesOf(slot: number): number {
  return slot === 0 ? NEAR_DOMAIN - 1 : Math.max(2, 2 ** (slot - 1));
}

const INITIAL: ErrorShares = {
  even: 0.5,
  near: Array.from({ length: BINS }, (_, bin) => 0.5 ** (bin + 2)),
};

/** Where the wrong claims of one attribute lie, on easy and on hard facts; learned by rounds of `add`. */
export class NearErrors {
  /** Per kind of fact and slot: probability that a wrong claim is of the one value there. */
  readonly #at = SHIFTS.map(() => new Float64Array(BINS + 1));
  /** Per kind of fact and slot: expected wrong claims. */
  readonly #claims = SHIFTS.map(() => new Float64Array(BINS + 1));
  /** Their sum. */
  #counted = 0;

  /** The distances that wrong claims reach: the middle of each, in steps, and the values on one side. */
  reach: readonly { steps: number; values: number }[] = [];

  constructor(public shares: readonly ErrorShares[] = SHIFTS.map(() => INITIAL)) {
    this.#tabulate();
  }

  #tabulate(): void {
    this.reach = this.#reach();
    for (const [kind, { even, near }] of this.shares.entries()) {
      const anywhere = even / valuesOf(0);
      for (let slot = 0; slot <= BINS; slot += 1) {
        const own = slot === 0 ? 0 : (near[slot - 1] ?? 0) / valuesOf(slot);
        this.#at[kind]?.fill(anywhere + own, slot, slot + 1);
      }
    }
  }

  #reach(): NearErrors['reach'] {
    const far = Array.from({ length: BINS }, (_, bin) => bin).findLastIndex((bin) =>
      this.shares.some(({ near }) => (near[bin] ?? 0) >= MIN_REACH_SHARE),
    );
    return Array.from({ length: far + 1 }, (_, bin) => {
      const values = valuesOf(bin + 1) / 2;
      return { steps: 2 ** bin - (values - 1) / 2, values };
    });
  }

  /** Per slot: probability that a wrong claim is of the one value that lies so far from the truth. */
  chances(kind: number): Float64Array {
    return this.#at[kind] ?? new Float64Array(BINS + 1);
  }

  /** Whether no more claims are needed in this round. */
  get isFull(): boolean {
    return this.#counted >= MAX_COUNTED;
  }

  /** Adds so many wrong claims at the distance of a slot. */
  add(kind: number, slot: number, claims: number): void {
    const sums = this.#claims[kind];
    if (sums === undefined) return;
    sums[slot] = (sums[slot] ?? 0) + claims;
    this.#counted += claims;
  }

  /** Takes the shares of all that was added, and forgets it. */
  update(): void {
    this.shares = SHIFTS.map((_, kind) => this.#sharesOf(kind));
    for (const claims of this.#claims) claims.fill(0);
    this.#counted = 0;
    this.#tabulate();
  }

  /** A claim near the truth may still be one of those anywhere, by as much as those are likely there. */
  #sharesOf(kind: number): ErrorShares {
    const [anywhere = 0, ...at] = this.#at[kind] ?? [];
    const [far = 0, ...claims] = this.#claims[kind] ?? [];
    const near = claims.map((all, bin) => NEAR_CLAIMS + all * (1 - anywhere / (at[bin] ?? 1)));
    const even =
      EVEN_CLAIMS + far + claims.reduce((sum, all, bin) => sum + (all * anywhere) / (at[bin] ?? 1), 0);
    const total = near.reduce((sum, each) => sum + each, even);
    return { even: even / total, near: near.map((each) => each / total) };
  }
}
