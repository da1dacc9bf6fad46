/** How often two claims of an attribute agree, whoever makes them. */
export class AgreementBaseline {
  readonly #agreeing: Float64Array;
  readonly #pairs: Float64Array;

  constructor(attributes: number) {
    this.#agreeing = new Float64Array(attributes);
    this.#pairs = new Float64Array(attributes);
  }

  add(attribute: number, agree: boolean): void {
    this.#pairs[attribute] = (this.#pairs[attribute] ?? 0) + 1;
    if (agree) this.#agreeing[attribute] = (this.#agreeing[attribute] ?? 0) + 1;
  }

  rate(attribute: number): number {
    return (this.#agreeing[attribute] ?? 0) / Math.max(1, this.#pairs[attribute] ?? 0);
  }
}
