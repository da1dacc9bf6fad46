import { measureTarget } from './compareTargets.js';
import type { ComparePlan, Measured } from './compareTargets.js';
import { median } from './median.js';
import { playRounds } from './playRounds.js';
import { printTable } from './printTable.js';
import { ratioOf } from './ratioOf.js';
import { durationQuantile, requestDurations } from './requestDurations.js';
import type { Durations } from './requestDurations.js';

const SHARE = 0.7;
/** Long enough for a p99 of thousands of requests. */
const SECONDS_FACTOR = 2;
const SERVERS = new Set(['ours', 'raw']);
const ROUTE = '/v1/profiles/:customer_id';

/** Loads the profile's read at 70 % of what it reached just before. */
export async function printSteadyLatency(plan: ComparePlan, measured: readonly Measured[]): Promise<string> {
  const contestants = measured.filter(
    ({ contestant: { group, note, server } }) => group === 'profile' && note === undefined && SERVERS.has(server),
  );
  const rateOf = ({ samples }: Measured): number => SHARE * median(samples.map(({ perSecond }) => perSecond));
  const port = plan.servers.get('ours')?.port ?? 0;
  const before = await requestDurations(port, ROUTE);
  const played = await playRounds({
    ...plan,
    contestants,
    seconds: SECONDS_FACTOR * plan.seconds,
    measure: (one, extent) => measureTarget(plan, one.contestant, { ...extent, rate: rateOf(one) }),
  });
  const [p50, p99] = await ownView(port, before);
  const rows = played.map(({ contestant, samples }) => {
    const middle = (pick: (sample: (typeof samples)[number]) => number): number => median(samples.map(pick));
    return [
      contestant.contestant.name,
      Math.round(rateOf(contestant)),
      Math.round(middle(({ perSecond }) => perSecond)),
      middle(({ p50 }) => p50).toFixed(1),
      middle(({ p99 }) => p99).toFixed(1),
      ratioOf(samples, samples, ({ p99 }, { p50 }) => p99 / p50).text,
    ];
  });
  const table = printTable(['', 'asked for, requests/s', 'answered', 'p50 ms', 'p99 ms', 'p99 / p50'], rows);
  return `\`GET /v1/profiles/{id}\` at a steady rate of 70 % of the median that the same run reached, ${plan.rounds} rounds of ${SECONDS_FACTOR * plan.seconds} s; a request that had to
wait for the one before it counts from when it was due. Aim: a p99 under 5 × p50.\n\n${table}
The service's own metric (\`http_request_duration_seconds\`, from the request's headers to the end of the answer) tells of the same requests: p50 ${p50.toFixed(1)} ms,
p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} ×. What lies between is waiting for a core: load, service and PostgreSQL have two.`;
}

async function ownView(port: number, before: Durations): Promise<[p50: number, p99: number]> {
  const after = await requestDurations(port, ROUTE);
  return [durationQuantile(before, after, 0.5), durationQuantile(before, after, 0.99)];
}
