import type { Step } from './steps.js';

/** The fewest requests found that fail too: halves of the steps, then ever smaller parts, are left out. */
export async function shortest(steps: Step[], fails: (fewer: Step[]) => Promise<boolean>): Promise<Step[]> {
  let left = steps;
  for (let part = Math.ceil(left.length / 2); part > 0; part = Math.floor(part / 2))
    for (let at = 0; at < left.length;) {
      const fewer = left.toSpliced(at, part);
      if (await fails(fewer)) left = fewer;
      else at += part;
    }
  for (const [at, plans] of left.entries())
    for (const plan of plans.length > 1 ? plans : [])
      if (await fails(left.with(at, [plan]))) left = left.with(at, [plan]);
  return left;
}
