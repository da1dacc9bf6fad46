export type OverviewWindow = 'hours_24' | 'days_7' | 'days_30' | 'days_90';

/** The equal steps of a window: UTC hours, quarters of a day or days. The last one contains now. */
export interface WindowSteps {
  /** Start of the first step. */
  from: Date;
  stepSeconds: number;
  /** The start of each step, oldest first. */
  starts: string[];
}

const HOUR = 3600;

const STEPS: Readonly<Record<OverviewWindow, { stepSeconds: number; count: number }>> = {
  hours_24: { stepSeconds: HOUR, count: 24 },
  days_7: { stepSeconds: 6 * HOUR, count: 28 },
  days_30: { stepSeconds: 24 * HOUR, count: 30 },
  days_90: { stepSeconds: 24 * HOUR, count: 90 },
};

export function stepsOf(window: OverviewWindow, now: Date): WindowSteps {
  const { stepSeconds, count } = STEPS[window];
  const stepMs = stepSeconds * 1000;
  const last = Math.floor(now.getTime() / stepMs) * stepMs;
  const from = new Date(last - (count - 1) * stepMs);
  const starts = Array.from({ length: count }, (_, index) =>
    new Date(from.getTime() + index * stepMs).toISOString(),
  );
  return { from, stepSeconds, starts };
}
