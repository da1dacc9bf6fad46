import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { median } from '../median.js';
import type { Sample } from '../measureLoad.js';
import { playRounds } from '../playRounds.js';
import type { Extent, Played } from '../playRounds.js';
import { printTable } from '../printTable.js';
import { ratioOf } from '../ratioOf.js';
import { readProfiles } from '../readProfiles.js';
import type { Section } from '../Section.js';
import type { ServerProcess } from '../ServerProcess.js';
import type { Settings } from '../settingsFrom.js';

const WORKERS = [1, 2];
/**
 * Of what one process reaches, for each process: the machine is half idle then at most, and no process waits
 * for a core.
 */
const STEADY_SHARE = 0.25;

interface Gateways {
  workers: number;
  server: ServerProcess;
}

/** One gateway process beside two behind one port, started as `npm start` starts them. */
export async function compareProcesses(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  try {
    const { customers, facts, connections } = settings;
    const ids = await harness.seed({ customers, facts });
    const token = await harness.token();
    const contestants: Gateways[] = [];
    for (const workers of WORKERS)
      contestants.push({ workers, server: await harness.startGateways(workers) });
    const play = (rate?: number): Promise<Played<Gateways>[]> => {
      const measure = ({ workers, server }: Gateways, extent: Extent): Promise<Sample> => {
        const pace = rate === undefined ? {} : { rate: rate * workers };
        const meter = { server: () => server.treeCpuMs(), database: () => harness.databaseCpuMs() };
        const plan = {
          port: server.port,
          token,
          connections: connections * workers,
          ids,
          ...extent,
          ...pace,
        };
        return readProfiles(plan, meter);
      };
      return playRounds({ ...settings, contestants, measure, progress: say });
    };
    const full = await play();
    const [one] = full;
    const rate = STEADY_SHARE * median(one?.samples.map(({ perSecond }) => perSecond) ?? []);
    const rows = [
      ...printRows(full, 'as many as are answered'),
      ...printRows(await play(rate), 'at a quarter of the first rate for each process'),
    ];
    return [{ title: 'Processes', text: `${explain(settings)}\n\n${printTable(HEADER, rows)}` }];
  } finally {
    await harness.close();
  }
}

const HEADER = [
  '',
  'requests/s',
  "gateways' CPU ms a request",
  "PostgreSQL's",
  'capacity, requests/s',
  'capacity beside one',
];

/** What so many processes answer with a core each. */
function capacity({ workers }: Gateways, { cpuMsPerRequest }: Sample): number {
  return (workers * 1000) / cpuMsPerRequest;
}

function printRows(played: readonly Played<Gateways>[], pace: string): (string | number)[][] {
  const [one] = played;
  return played.map(({ contestant, samples }) => {
    const beside = ratioOf(samples, one?.samples ?? [], (own, base) => {
      return capacity(contestant, own) / capacity({ ...contestant, workers: 1 }, base);
    });
    return [
      `WORKERS=${contestant.workers}, ${pace}`,
      Math.round(median(samples.map(({ perSecond }) => perSecond))),
      median(samples.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).toFixed(3),
      median(samples.map(({ databaseMsPerRequest }) => databaseMsPerRequest)).toFixed(3),
      Math.round(median(samples.map((sample) => capacity(contestant, sample)))),
      beside.text,
    ];
  });
}

function explain({ customers, facts, connections, rounds, seconds }: Settings): string {
  return `\`GET /v1/profiles/{id}\`, ${customers} customers with ${facts} facts, ${connections} connections for each process, ${rounds} rounds of ${seconds} s. Where load, PostgreSQL and
gateways share the cores, a second process finds none free: throughput says little, and processes that take each other's core and caches cost
more. Capacity is what the gateways would answer with a core each: processes ÷ processor time per request; the last two rows give each
process the same work and leave the machine half idle. Aim: two have at least 1.7 × the capacity of one. ${circumstances()}`;
}
