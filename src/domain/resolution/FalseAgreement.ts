import { FALSE_AGREEMENT_WEIGHT, INITIAL_FALSE_AGREEMENT } from './constants.js';

/** How often two independent wrong claims agree: learned per attribute, and over all attributes for those with little evidence. */
export class FalseAgreement {
  readonly #agreeing: Float64Array;
  readonly #pairs: Float64Array;
  readonly #estimates: Float64Array;
  overall = INITIAL_FALSE_AGREEMENT;

  constructor(attributes: number) {
    this.#agreeing = new Float64Array(attributes);
    this.#pairs = new Float64Array(attributes);
    this.#estimates = new Float64Array(attributes).fill(INITIAL_FALSE_AGREEMENT);
  }

  of(attribute: number): number {
    return this.#estimates[attribute] ?? this.overall;
  }

  forget(): void {
    this.#agreeing.fill(0);
    this.#pairs.fill(0);
  }

  /** A pair of claims, both wrong with probability `weight`. */
  add(attribute: number, weight: number, agree: boolean): void {
    this.#pairs[attribute] = (this.#pairs[attribute] ?? 0) + weight;
    if (agree) this.#agreeing[attribute] = (this.#agreeing[attribute] ?? 0) + weight;
  }

  pairs(attribute: number): number {
    return this.#pairs[attribute] ?? 0;
  }

  update(): void {
    const sum = (numbers: Float64Array): number => numbers.reduce((total, number) => total + number, 0);
    const weight = FALSE_AGREEMENT_WEIGHT;
    this.overall = (sum(this.#agreeing) + weight * INITIAL_FALSE_AGREEMENT) / (sum(this.#pairs) + weight);
    for (let attribute = 0; attribute < this.#pairs.length; attribute += 1) {
      const agreeing = (this.#agreeing[attribute] ?? 0) + weight * this.overall;
      this.#estimates[attribute] = agreeing / ((this.#pairs[attribute] ?? 0) + weight);
    }
  }
}
