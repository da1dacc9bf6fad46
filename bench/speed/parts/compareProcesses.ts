import { Bed } from '../Bed.js';
import { circumstances } from '../circumstances.js';
import { median } from '../median.js';
import type { Sample } from '../measureLoad.js';
import { playRounds } from '../playRounds.js';
import type { Played } from '../playRounds.js';
import { printTable } from '../printTable.js';
import { ratioOf } from '../ratioOf.js';
import { readProfiles } from '../readProfiles.js';
import type { Section } from '../Section.js';
import { seedCustomers } from '../seedCustomers.js';
import type { ServerProcess } from '../ServerProcess.js';
import type { Settings } from '../settingsFrom.js';

const WORKERS = [1, 2];

interface Gateways {
  workers: number;
  server: ServerProcess;
}

/** One gateway process beside two behind one port, started as `npm start` starts them. */
export async function compareProcesses(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const bed = await Bed.open();
  try {
    const { customers, facts, connections, rounds, seconds } = settings;
    const ids = await seedCustomers({ ...bed, customers, facts, claimsPerFact: 3, prefix: 'bench' });
    const token = await bed.token();
    const contestants: Gateways[] = [];
    for (const workers of WORKERS) contestants.push({ workers, server: await bed.startGateways(workers) });
    const played = await playRounds({
      contestants,
      rounds,
      seconds,
      measure: ({ workers, server }, extent) => {
        const meter = { server: () => server.treeCpuMs(), database: () => bed.databaseCpuMs() };
        return readProfiles({ port: server.port, token, connections: connections * workers, ids, ...extent }, meter);
      },
      progress: say,
    });
    return [{ title: 'Processes', text: `${explain(settings)}\n\n${printProcesses(played)}` }];
  } finally {
    await bed.close();
  }
}

/** What so many processes answer in a second of processor time each. */
function capacity({ workers }: Gateways, { cpuMsPerRequest }: Sample): number {
  return (workers * 1000) / cpuMsPerRequest;
}

function printProcesses(played: readonly Played<Gateways>[]): string {
  const [one] = played;
  const rows = played.map(({ contestant, samples }) => [
    `WORKERS=${contestant.workers}`,
    Math.round(median(samples.map(({ perSecond }) => perSecond))),
    median(samples.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).toFixed(3),
    median(samples.map(({ databaseMsPerRequest }) => databaseMsPerRequest)).toFixed(3),
    Math.round(median(samples.map((sample) => capacity(contestant, sample)))),
    ratioOf(
      samples,
      one?.samples ?? [],
      (own, base) => capacity(contestant, own) / capacity({ ...contestant, workers: 1 }, base),
    ).text,
  ]);
  const header = [
    '',
    'requests/s',
    "gateways' CPU ms a request",
    "PostgreSQL's",
    'capacity, requests/s',
    'capacity beside one',
  ];
  return printTable(header, rows);
}

function explain({ customers, facts, connections, rounds, seconds }: Settings): string {
  return `\`GET /v1/profiles/{id}\`, ${customers} customers with ${facts} facts, ${connections} connections for each process, ${rounds} rounds of ${seconds} s. Where load, PostgreSQL and gateways share
the cores, a second process finds none free and throughput says little; capacity is what the gateways would answer with a core each: processes ÷
processor time per request. Aim: two have at least 1.7 × the capacity of one. ${circumstances()}`;
}
