import { BenchHarness } from '../BenchHarness.js';
import { callService } from '../callService.js';
import { circumstances } from '../circumstances.js';
import { ingestClaims } from '../ingestClaims.js';
import type { Ingested } from '../ingestClaims.js';
import { playRounds } from '../playRounds.js';
import { printGrowth } from '../printGrowth.js';
import { readProfiles } from '../readProfiles.js';
import type { Section } from '../Section.js';
import type { Settings } from '../settingsFrom.js';
import { vacuum } from '../vacuum.js';

interface Population {
  name: string;
  claims: number;
  /** Of every fact. */
  sources: number;
}

const SOURCES = 6;
const BASE: Population = { name: '100 claims', claims: 100, sources: SOURCES };
const POPULATIONS: readonly Population[] = [
  { name: '10 claims', claims: 10, sources: SOURCES },
  BASE,
  { name: '1,000 claims', claims: 1000, sources: SOURCES },
  { name: '1,000 claims, no source twice of a fact', claims: 1000, sources: Infinity },
];

/**
 * What more claims per customer cost the read of a profile. The service takes the claims in and makes the
 * facts itself.
 */
export async function growWithClaims(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  try {
    const worker = await harness.startWorker();
    const ingested = await ingestAll(harness, settings.claimCustomers, say);
    await worker.stop();
    await vacuum(harness.ownerUrl);
    const token = await harness.token();
    const { port } = harness.ours;
    const contestants = [];
    for (const [index, { ids }] of ingested.entries()) {
      const profile = await callService<object>(
        { port, token, expect: 200 },
        'GET',
        `/v1/profiles/${ids[0] ?? ''}`,
      );
      const bytes = Buffer.byteLength(JSON.stringify(profile));
      contestants.push({ name: POPULATIONS[index]?.name ?? '', bytes, ids });
    }
    const meter = { server: () => harness.ours.cpuMs(), database: () => harness.databaseCpuMs() };
    const { connections, rounds, seconds } = settings;
    const played = await playRounds({
      contestants,
      rounds,
      seconds,
      measure: ({ ids }, extent) => readProfiles({ port, token, connections, ids, ...extent }, meter),
      progress: say,
    });
    const base = contestants[POPULATIONS.indexOf(BASE)] ?? { name: '', bytes: 0 };
    return [
      {
        title: 'Claims per customer',
        text: `${explain(settings, ingested)}\n\n${printGrowth(played, base)}`,
      },
    ];
  } finally {
    await harness.close();
  }
}

async function ingestAll(
  harness: BenchHarness,
  customers: number,
  say: (line: string) => void,
): Promise<Ingested[]> {
  const all = [];
  for (const { name, claims, sources } of POPULATIONS) {
    say(`Taking in ${name} for each of ${customers} customers …`);
    all.push(await ingestClaims(harness, { customers, claims, sources }));
  }
  return all;
}

function explain(
  { claimCustomers, connections, rounds, seconds }: Settings,
  ingested: readonly Ingested[],
): string {
  const claims = ingested.reduce((sum, one) => sum + one.claims, 0);
  const perSecond = (pick: (one: Ingested) => number): number =>
    Math.round(claims / ingested.reduce((sum, one) => sum + pick(one), 0));
  return `\`GET /v1/profiles/{id}\`, ${claimCustomers} customers of each kind, 10 facts, ${SOURCES} sources at most where nothing else is said (a source is
evidence once, and 20 claims of a fact are evidence at most); ${connections} connections, ${rounds} rounds of ${seconds} s. The service took the claims in by
\`POST /v1/claims/batch\` (${perSecond((one) => one.acceptSeconds)}/s accepted by one gateway with a worker beside it) and made the facts of them (all applied ${perSecond((one) => one.acceptSeconds + one.applySeconds)}/s).
Aim: 1,000 claims cost at most 1.5 × what 100 do. ${circumstances()}`;
}
