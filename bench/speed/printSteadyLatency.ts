import { measureTarget } from './compareTargets.js';
import type { ComparePlan, Measured } from './compareTargets.js';
import { median } from './median.js';
import { printTable } from './printTable.js';

const SHARE = 0.7;
/** Long enough for a p99 of thousands of requests. */
const SECONDS_FACTOR = 5;
const SERVERS = new Set(['ours', 'raw']);

/** Loads the profile's read at 70 % of what it reached just before. */
export async function printSteadyLatency(plan: ComparePlan, measured: readonly Measured[]): Promise<string> {
  const rows = [];
  for (const { contestant, samples } of measured) {
    if (contestant.group !== 'profile' || contestant.note !== undefined || !SERVERS.has(contestant.server)) continue;
    const rate = SHARE * median(samples.map(({ perSecond }) => perSecond));
    const extent = { rate, seconds: SECONDS_FACTOR * plan.seconds };
    const { perSecond, p50, p99 } = await measureTarget(plan, contestant, extent);
    rows.push([contestant.name, rate, perSecond].map(rounded).concat([p50, p99, p99 / p50].map((ms) => ms.toFixed(1))));
  }
  const table = printTable(['', 'asked for, requests/s', 'answered', 'p50 ms', 'p99 ms', 'p99 / p50'], rows);
  return `\`GET /v1/profiles/{id}\` at a steady rate of 70 % of the median that the same run reached; a request that had to wait for the
one before it counts from when it was due. Aim: a p99 under 5 × p50.\n\n${table}`;
}

function rounded(cell: string | number): string {
  return typeof cell === 'number' ? String(Math.round(cell)) : cell;
}
