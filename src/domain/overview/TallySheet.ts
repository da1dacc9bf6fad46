/** A sum of changes within one step of a window, or before the window (`step` is null). */
export interface TallySum {
  measure: string;
  key: number;
  step: string | null;
  amount: number;
}

const ANY = -1;

/** An app's counts over a window, by measure, key and step. */
export class TallySheet {
  private readonly sums = new Map<string, Map<string | null, number>>();

  constructor(rows: readonly TallySum[]) {
    for (const { measure, key, step, amount } of rows) {
      const own = this.of(measure, key);
      own.set(step, (own.get(step) ?? 0) + amount);
      this.sums.set(nameOf(measure, key), own);
    }
  }

  /** The change within one step. */
  at(measure: string, step: string, key = ANY): number {
    return this.of(measure, key).get(step) ?? 0;
  }

  /** The sum up to now. */
  total(measure: string, key = ANY): number {
    return sumOf(this.of(measure, key).values());
  }

  /** The change within the window. */
  within(measure: string, key = ANY): number {
    return this.total(measure, key) - (this.of(measure, key).get(null) ?? 0);
  }

  /** The sum at the end of each step. */
  levels(measure: string, steps: readonly string[], key: number): number[] {
    let level = this.of(measure, key).get(null) ?? 0;
    return steps.map((step) => (level += this.at(measure, step, key)));
  }

  private of(measure: string, key: number): Map<string | null, number> {
    return this.sums.get(nameOf(measure, key)) ?? new Map<string | null, number>();
  }
}

function nameOf(measure: string, key: number): string {
  return `${measure}/${key}`;
}

function sumOf(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}
