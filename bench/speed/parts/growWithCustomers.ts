import { BenchHarness } from '../BenchHarness.js';
import { callService } from '../callService.js';
import { circumstances } from '../circumstances.js';
import type { Sample } from '../measureLoad.js';
import { playRounds } from '../playRounds.js';
import { printGrowth } from '../printGrowth.js';
import type { Named } from '../printGrowth.js';
import { readProfiles } from '../readProfiles.js';
import type { ProfileReads } from '../readProfiles.js';
import type { Section } from '../Section.js';
import { seedAlike } from '../seedAlike.js';
import type { Settings } from '../settingsFrom.js';

interface Population extends Named {
  harness: BenchHarness;
  ids: string[];
  token: string;
}

const FEWEST = 1000;
const FACTS = 6;

/**
 * Until PostgreSQL's processes have mapped its cache, as those of a service have that has been running for
 * long: of a million customers each read meets 3.5 pages that its process has not mapped in the first ten
 * seconds, 0.3 after a minute. Seconds.
 */
const SETTLE = 60;

/**
 * What more customers cost the read of a profile: each population in a PostgreSQL of its own, with a service
 * of its own.
 */
export async function growWithCustomers(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const { connections, rounds, seconds } = settings;
  const harnesses: BenchHarness[] = [];
  try {
    const contestants: Population[] = [];
    for (let customers = Math.min(FEWEST, settings.most); customers <= settings.most; customers *= 10) {
      say(`Making ${customers} customers …`);
      const harness = await BenchHarness.open();
      harnesses.push(harness);
      const population = await populate(harness, customers);
      contestants.push(population);
      await measure(population, { connections, seconds: SETTLE });
    }
    const played = await playRounds({
      contestants,
      rounds,
      seconds,
      measure: (population, extent) => measure(population, { connections, ...extent }),
      progress: say,
    });
    const [base = { name: '', bytes: 0 }] = contestants;
    return [{ title: 'Customers', text: `${explain(settings)}\n\n${printGrowth(played, base)}` }];
  } finally {
    for (const harness of harnesses) await harness.close();
  }
}

function measure(
  { harness, ids, token }: Population,
  plan: Pick<ProfileReads, 'connections' | 'seconds' | 'requests'>,
): Promise<Sample> {
  const meter = { server: () => harness.ours.cpuMs(), database: () => harness.databaseCpuMs() };
  return readProfiles({ port: harness.ours.port, ids, token, ...plan }, meter);
}

async function populate(harness: BenchHarness, customers: number): Promise<Population> {
  const ids = await seedAlike(harness, { customers, facts: FACTS });
  const token = await harness.token();
  const call = { port: harness.ours.port, token, expect: 200 };
  const profile = await callService<object>(call, 'GET', `/v1/profiles/${ids.at(-1) ?? ''}`);
  const bytes = Buffer.byteLength(JSON.stringify(profile));
  return { name: `${customers.toLocaleString('en')} customers`, bytes, harness, ids, token };
}

function explain({ connections, rounds, seconds }: Settings): string {
  return `\`GET /v1/profiles/{id}\`, customers of ${FACTS} facts with one claim each, asked for at random from all; ${connections} connections, ${rounds} rounds of
${seconds} s after ${SETTLE} s of the same. PostgreSQL's own cache is a quarter of the memory, 8 GB at most; what does not fit (a million customers take about 10 GB) comes from the
operating system's, warm from being written. Aim: the most customers cost at most 1.2 × what the fewest do. ${circumstances()}`;
}
