import { aheadOfAll } from '../aheadOfAll.js';
import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { measureTarget } from '../compareTargets.js';
import type { ComparePlan } from '../compareTargets.js';
import type { Sample } from '../measureLoad.js';
import { median } from '../median.js';
import { playRounds } from '../playRounds.js';
import type { Extent } from '../playRounds.js';
import { printTable } from '../printTable.js';
import { ratioOf } from '../ratioOf.js';
import { durationQuantile, requestDurations } from '../requestDurations.js';
import type { Section } from '../Section.js';
import type { Settings } from '../settingsFrom.js';
import type { Target } from '../Target.js';
import { TARGETS } from '../targets.js';
import { vacuum } from '../vacuum.js';

const SHARE = 0.7;
/**
 * Long enough for a p99 of thousands of requests; a stall of a few milliseconds is still a part of it, so
 * that rounds are many.
 */
const SECONDS_FACTOR = 2;
const ROUNDS_FACTOR = 2;
const ROUTE = '/v1/profiles/:customer_id';

/**
 * Latency at 70 % of the load that the same server has just taken, with nothing else running: idle servers of
 * a comparison disturb.
 */
export async function measureLatency(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  try {
    const { customers, facts } = settings;
    const ids = await harness.seed({ customers, facts, prefix: 'steady' });
    await vacuum(harness.ownerUrl);
    const token = await harness.token();
    const servers = new Map([
      ['ours', harness.ours],
      ['raw', await harness.startPeer('raw', token)],
    ]);
    const targets = TARGETS.filter(
      ({ group, note, server }) => group === 'profile' && note === undefined && servers.has(server),
    );
    const databaseCpuMs = (): number => harness.databaseCpuMs();
    const plan: ComparePlan = { ...settings, targets, servers, ids, token, databaseCpuMs, progress: say };
    const contestants = targets.map((target) => new Steady(plan, target));
    const rounds = ROUNDS_FACTOR * settings.rounds;
    const text = await aheadOfAll(async (ahead) => {
      const measure = (steady: Steady, extent: Extent): Promise<Sample> => steady.measure(extent);
      return printLatency(settings, await playRounds({ ...plan, rounds, contestants, measure }), ahead);
    });
    return [{ title: 'Latency at 70 % of the peak', text }];
  } finally {
    await harness.close();
  }
}

/** One server, loaded to its peak and then steadily. */
class Steady {
  readonly target: Target;
  /** Requests per second asked for in each round. */
  readonly rates: number[] = [];
  /** By the service's own metric in each round: p50 and p99, in milliseconds. */
  readonly own: { p50: number; p99: number }[] = [];
  private readonly plan: ComparePlan;

  constructor(plan: ComparePlan, target: Target) {
    this.plan = plan;
    this.target = target;
  }

  async measure(extent: Extent): Promise<Sample> {
    const peak = await measureTarget(this.plan, this.target, extent);
    // Only the round that warms up is bounded by its requests.
    if (extent.requests !== undefined) return peak;
    const rate = SHARE * peak.perSecond;
    this.rates.push(rate);
    const before = await this.durations();
    const sample = await measureTarget(this.plan, this.target, {
      seconds: SECONDS_FACTOR * extent.seconds,
      rate,
    });
    const after = await this.durations();
    this.own.push({ p50: durationQuantile(before, after, 0.5), p99: durationQuantile(before, after, 0.99) });
    return sample;
  }

  private durations(): ReturnType<typeof requestDurations> | [] {
    const port = this.plan.servers.get('ours')?.port;
    return this.target.server === 'ours' && port !== undefined ? requestDurations(port, ROUTE) : [];
  }
}

const AHEAD = 'The load has a core whenever it wants one (`SCHED_FIFO`), as if it came from another machine.';
const BESIDE =
  'The load shares the cores as an equal (for more it has no right here), and measures its own waiting too.';

type Rounds = Awaited<ReturnType<typeof playRounds<Steady>>>;

function printLatency(
  { customers, facts, rounds, seconds, connections }: Settings,
  played: Rounds,
  ahead: boolean,
): string {
  const rows = played.map(({ contestant, samples }) => {
    const middle = (pick: (sample: Sample) => number): number => median(samples.map(pick));
    return [
      contestant.target.name,
      Math.round(median(contestant.rates)),
      Math.round(middle(({ perSecond }) => perSecond)),
      middle(({ p50 }) => p50).toFixed(1),
      middle(({ p99 }) => p99).toFixed(1),
      ratioOf(samples, samples, ({ p99 }, { p50 }) => p99 / p50).text,
    ];
  });
  const table = printTable(['', 'asked for, requests/s', 'answered', 'p50 ms', 'p99 ms', 'p99 / p50'], rows);
  const own = played.find(({ contestant }) => contestant.target.server === 'ours')?.contestant.own ?? [];
  const [p50, p99, ratio] = [
    ({ p50 }: Own) => p50,
    ({ p99 }: Own) => p99,
    ({ p50, p99 }: Own) => p99 / p50,
  ].map((pick) => median(own.map(pick)).toFixed(1));
  return `\`GET /v1/profiles/{id}\`, ${customers} customers with ${facts} facts, at a steady rate of 70 % of what the same server reached over ${connections} connections in the
${seconds} s before; ${ROUNDS_FACTOR * rounds} rounds of ${SECONDS_FACTOR * seconds} s. A request that had to wait for the one before it counts from when it was due. Nothing else runs but load
and PostgreSQL. ${ahead ? AHEAD : BESIDE} Aim: a p99 under 5 × p50. ${circumstances()}\n\n${table}
The service's own metric (\`http_request_duration_seconds\`, from the request's headers to the end of the answer) tells of the same requests: p50 ${p50} ms,
p99 ${p99} ms, ${ratio} ×. What lies between is waiting for a core: load, service and PostgreSQL have two.`;
}

type Own = Steady['own'][number];
