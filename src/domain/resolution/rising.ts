/** Isotonic regression by pooling adjacent violators: the nearest sequence that never falls. */
export function rising(values: readonly number[], weights: readonly number[]): number[] {
  const blocks: { sum: number; weight: number; size: number }[] = [];
  for (const [index, value] of values.entries()) {
    const weight = weights[index] ?? 1;
    let block = { sum: value * weight, weight, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.sum / last.weight > block.sum / block.weight;) {
      block = { sum: last.sum + block.sum, weight: last.weight + block.weight, size: last.size + block.size };
      blocks.pop();
      last = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, weight, size }) => Array.from({ length: size }, () => sum / weight));
}
