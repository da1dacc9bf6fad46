import { median } from './median.js';
import type { Sample } from './measureLoad.js';

export interface Ratio {
  median: number;
  /** `.85 (.80–.91)`: the median and, in brackets, the lowest and highest of the rounds. */
  text: string;
}

/** How one contestant stands to another in the same rounds. */
export function ratioOf(
  samples: readonly Sample[],
  base: readonly Sample[],
  ratio: (own: Sample, base: Sample) => number,
): Ratio {
  const all = samples.flatMap((sample, round) => {
    const beside = base[round];
    return beside === undefined ? [] : [ratio(sample, beside)];
  });
  const text = `${decimal(median(all))} (${decimal(Math.min(...all))}–${decimal(Math.max(...all))})`;
  return { median: median(all), text };
}

function decimal(value: number): string {
  return value.toFixed(2).replace(/^(-?)0\./, '$1.');
}
