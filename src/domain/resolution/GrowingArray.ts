type NumericArray = Float32Array | Float64Array | Int32Array | Uint32Array;

/** A typed array that doubles its capacity when full. A number takes four or eight bytes. */
export class GrowingArray<A extends NumericArray> {
  readonly #make: (length: number) => A;
  #data: A;
  #length = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#data = make(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#data.length) {
      const grown = this.#make(this.#length * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  /** The numbers so far; a view, valid until the next push. */
  view(): A {
    return this.#data.subarray(0, this.#length) as A;
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }
}
