import { Bed } from './Bed.js';
import { percentile, runLoad } from './LoadClient.js';
import type { Load } from './LoadClient.js';
import { decimal, median } from './printComparison.js';
import { seedCustomers } from './seedCustomers.js';
import type { ServerProcess } from './ServerProcess.js';
import { requestBytes } from './Target.js';

/** How the read of a profile grows with claims per customer and with customers, and what memory does under long load. */
const ROUNDS = 3;
const SECONDS = 2;
const FACTS = 12;
const CONNECTIONS = 8;
const LONG_SECONDS = Number(process.argv.find((argument) => argument.startsWith('--long='))?.slice(7) ?? 120);
const MOST_CUSTOMERS = Number(
  process.argv.find((argument) => argument.startsWith('--customers='))?.slice(12) ?? 10_000,
);

interface Population {
  name: string;
  customers: number;
  claimsPerFact: number;
  prefix: string;
}

const POPULATIONS: Population[] = [
  { name: '12 claims per customer', customers: 100, claimsPerFact: 1, prefix: 'ten' },
  { name: '96 claims per customer', customers: 100, claimsPerFact: 8, prefix: 'hundred' },
  { name: '996 claims per customer', customers: 100, claimsPerFact: 83, prefix: 'thousand' },
  { name: '1,000 customers of 36 claims', customers: 1000, claimsPerFact: 3, prefix: 'few' },
  { name: `${MOST_CUSTOMERS} customers of 36 claims`, customers: MOST_CUSTOMERS, claimsPerFact: 3, prefix: 'many' },
];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function read(server: ServerProcess, ids: readonly string[], token: string, seconds: number): Promise<Load> {
  const next = (): Buffer => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    return requestBytes({ path: `/v1/profiles/${id}` }, token, id);
  };
  return runLoad({ port: server.port, connections: CONNECTIONS, seconds, next });
}

async function compareGrowth(bed: Bed): Promise<void> {
  const token = await bed.token();
  const measured: { name: string; ids: string[]; perSecond: number[]; p50: number[] }[] = [];
  for (const { name, ...plan } of POPULATIONS) {
    const ids = await seedCustomers({ ...plan, ownerUrl: bed.ownerUrl, appId: bed.appId, facts: FACTS });
    measured.push({ name, ids, perSecond: [], p50: [] });
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { ids, perSecond, p50 } of measured) {
      const load = await read(bed.ours, ids, token, SECONDS);
      if (round === 0) continue;
      perSecond.push(load.requests / load.seconds);
      p50.push(percentile(load, 0.5));
    }
  }
  say('| | requests/s | p50 ms |\n|---|---|---|');
  for (const { name, perSecond, p50 } of measured)
    say(`| ${name} | ${Math.round(median(perSecond))} | ${decimal(median(p50))} |`);
}

async function watchMemory(bed: Bed): Promise<void> {
  const ids = Array.from({ length: 1000 }, (_, index) => `cus_few${String(index).padStart(12, '0')}`);
  const seen: string[] = [];
  for (let quarter = 0; quarter <= 4; quarter += 1) {
    if (quarter > 0) await read(bed.ours, ids, await bed.token(), LONG_SECONDS / 4);
    seen.push(`${Math.round((await bed.ours.usage()).memoryMb)} MB`);
  }
  say(`\nResident memory over ${LONG_SECONDS} s of load, by quarters: ${seen.join(', ')}`);
}

const bed = await Bed.open();
try {
  await compareGrowth(bed);
  await watchMemory(bed);
} finally {
  await bed.close();
}
