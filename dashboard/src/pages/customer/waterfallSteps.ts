import type { Fact } from './FactDrawer.tsx';

export type Explanation = NonNullable<Fact['explanation']>;
export type Share = Explanation['shares'][number];

/** One bar: where the log-odds stood before and after. */
export interface Step {
  key: string;
  kind: 'prior' | 'claim' | 'change' | 'calibration' | 'normalisation' | 'omitted' | 'result';
  from: number;
  to: number;
  share?: Share;
}

/** What is rounded to nothing. */
const INVISIBLE = 0.005;

/** The sum of the explanation, one addend after the other; addends of next to nothing are left out. */
export function waterfallSteps(explanation: Explanation): Step[] {
  const addends: Omit<Step, 'from' | 'to'>[] = [];
  const values: number[] = [];
  const add = (step: Omit<Step, 'from' | 'to'>, value: number): void => {
    if (Math.abs(value) < INVISIBLE && step.kind !== 'prior') return;
    addends.push(step);
    values.push(value);
  };
  add({ key: 'prior', kind: 'prior' }, explanation.prior);
  for (const share of explanation.shares) add({ key: share.claimId, kind: 'claim', share }, share.logOdds);
  add({ key: 'omitted', kind: 'omitted' }, explanation.omitted);
  add({ key: 'change', kind: 'change' }, explanation.change);
  add({ key: 'calibration', kind: 'calibration' }, explanation.calibration);
  add({ key: 'normalisation', kind: 'normalisation' }, explanation.normalisation);
  let sum = 0;
  const steps = addends.map((step, index): Step => {
    const from = sum;
    sum += values[index] ?? 0;
    return { ...step, from, to: sum };
  });
  return [...steps, { key: 'result', kind: 'result', from: 0, to: explanation.logOdds }];
}
