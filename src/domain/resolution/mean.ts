/** 0 of none. */
export function mean(numbers: Float64Array | readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return numbers.length === 0 ? 0 : sum / numbers.length;
}
