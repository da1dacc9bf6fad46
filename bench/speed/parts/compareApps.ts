import { BenchHarness } from '../BenchHarness.js';
import type { BenchApp } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { installPeers } from '../installPeers.js';
import { LIGHT_LOAD, lightLoad } from '../lightLoad.js';
import { measureLoad } from '../measureLoad.js';
import type { Sample } from '../measureLoad.js';
import { median } from '../median.js';
import { playRounds } from '../playRounds.js';
import type { Played } from '../playRounds.js';
import { printTable } from '../printTable.js';
import { ratioOf } from '../ratioOf.js';
import type { Section } from '../Section.js';
import { CLAIMS_PER_FACT, seedCustomers } from '../seedCustomers.js';
import type { ServerProcess } from '../ServerProcess.js';
import type { Settings } from '../settingsFrom.js';
import { requestBytes } from '../Target.js';
import { vacuum } from '../vacuum.js';

/** Apps at most; customers of all together are those of the comparison. */
const APPS = 64;

/** Among how many apps the reads go, and how unevenly: the share of the app of rank r is 1/r^skew. */
const SPREADS = [
  { apps: 1, skew: 0, name: 'one app' },
  { apps: 8, skew: 0, name: '8 apps, even' },
  { apps: 8, skew: 1, name: '8 apps, Zipf' },
  { apps: APPS, skew: 0, name: '64 apps, even' },
  { apps: APPS, skew: 1, name: '64 apps, Zipf' },
] as const;

type Spread = (typeof SPREADS)[number];

const SERVERS = [
  ['raw', 'raw node:http + pg'],
  ['ours', 'this service'],
  ['express', 'Express 5 + pg, plain'],
] as const;

interface Contestant {
  spread: Spread;
  server: (typeof SERVERS)[number][0];
  name: string;
}

interface Tenant {
  /** One for each customer, made ahead: the load must not take more of the machine than it has to. */
  requests: readonly Buffer[];
}

/** Profile reads of one app and of many at once, beside raw and Express. */
export async function compareApps(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  installPeers();
  const harness = await BenchHarness.open();
  try {
    const { facts } = settings;
    say(`Seeding ${APPS} apps …`);
    const tenants: Tenant[] = [];
    const appOf = new Map<string, string>();
    for (let index = 0; index < APPS; index += 1) {
      const app: BenchApp = await harness.addApp();
      const customers = Math.ceil(settings.customers / APPS);
      const seed = {
        ownerUrl: harness.ownerUrl,
        appId: app.app_id,
        customers,
        facts,
        claimsPerFact: CLAIMS_PER_FACT,
      };
      const ids = await seedCustomers({ ...seed, prefix: `app${String(index).padStart(3, '0')}` });
      const token = await harness.token(app);
      appOf.set(token, app.app_id);
      tenants.push({ requests: ids.map((id) => requestBytes({ path: `/v1/profiles/${id}` }, token, id)) });
    }
    await vacuum(harness.ownerUrl);
    const servers = new Map<string, ServerProcess>([['ours', harness.ours]]);
    for (const name of ['raw', 'express'])
      servers.set(name, await harness.startPeer(name, await harness.token(), appOf));
    const played = await play({ harness, tenants, servers }, settings, say);
    return [{ title: 'Many apps', text: `${explain(settings)}\n\n${printApps(played)}` }];
  } finally {
    await harness.close();
  }
}

interface Scene {
  harness: BenchHarness;
  tenants: readonly Tenant[];
  servers: ReadonlyMap<string, ServerProcess>;
}

function play(
  { harness, tenants, servers }: Scene,
  settings: Settings,
  progress: (line: string) => void,
): Promise<Played<Contestant>[]> {
  const contestants = SPREADS.flatMap((spread) =>
    SERVERS.map(([server, name]) => ({ spread, server, name })),
  );
  return playRounds({
    ...settings,
    contestants,
    progress,
    measure: ({ spread, server }, extent) => {
      const process = servers.get(server);
      if (process === undefined) throw new Error(`There is no server ${server}.`);
      const choose = chooser(tenants.slice(0, spread.apps), spread.skew);
      const next = (): Buffer => {
        const { requests } = choose();
        return requests[Math.floor(Math.random() * requests.length)] ?? Buffer.alloc(0);
      };
      const meter = { server: () => process.cpuMs(), database: () => harness.databaseCpuMs() };
      const { connections } = settings;
      return measureLoad({ port: process.port, connections, ...extent, next }, meter, lightLoad);
    },
  });
}

/** Chooses a tenant, the one of rank r as often as 1/r^skew. */
function chooser(tenants: readonly Tenant[], skew: number): () => Tenant {
  const bounds: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= tenants.length; rank += 1) bounds.push((sum += rank ** -skew));
  return () => {
    const point = Math.random() * sum;
    const found = tenants[bounds.findIndex((bound) => point < bound)] ?? tenants[0];
    if (found === undefined) throw new Error('There are no apps.');
    return found;
  };
}

const HEADER = [
  '',
  'requests/s',
  'ratio to raw',
  "of one app's rate",
  'CPU ms a request',
  "PostgreSQL's",
  'p50 ms',
  'p99 ms',
];

/** What reads of many apps are to reach, in requests per second. */
const AIMS: readonly (readonly [server: string, spread: 'same' | 'one', least: number])[] = [
  ['raw', 'same', 1],
  ['express', 'same', 3],
  ['ours', 'one', 0.8],
];

type Find = (spread: Spread, server: string) => Sample[];

function printAims(find: Find): string {
  const rows = SPREADS.filter(({ apps }) => apps === APPS).flatMap((spread) =>
    AIMS.map(([server, which, least]) => {
      const name = SERVERS.find(([own]) => own === server)?.[1] ?? '';
      const of = which === 'one' ? "one app's own rate" : name;
      const base = find(which === 'one' ? SPREADS[0] : spread, server);
      const ratio = ratioOf(find(spread, 'ours'), base, (own, other) => own.perSecond / other.perSecond);
      return [spread.name, of, `≥ ${least}`, ratio.text, ratio.median >= least ? 'met' : 'missed'];
    }),
  );
  return printTable(['reads of', 'beside', 'aim', 'requests/s', ''], rows);
}

function printApps(played: readonly Played<Contestant>[]): string {
  const find: Find = (spread, server) =>
    played.find(({ contestant }) => contestant.spread === spread && contestant.server === server)?.samples ??
    [];
  const tables = SPREADS.map((spread) => {
    const rows = SERVERS.map(([server, name]) => {
      const samples = find(spread, server);
      const middle = (key: keyof Sample): number => median(samples.map((sample) => sample[key]));
      return [
        name,
        Math.round(middle('perSecond')),
        ratioOf(samples, find(spread, 'raw'), (own, raw) => own.perSecond / raw.perSecond).text,
        ratioOf(samples, find(SPREADS[0], server), (own, one) => own.perSecond / one.perSecond).text,
        middle('cpuMsPerRequest').toFixed(3),
        middle('databaseMsPerRequest').toFixed(3),
        middle('p50').toFixed(1),
        middle('p99').toFixed(1),
      ];
    });
    return `### ${spread.name}\n\n${printTable(HEADER, rows)}`;
  });
  return `${printAims(find)}\n${tables.join('\n')}`;
}

function explain({ customers, facts, connections, rounds, seconds }: Settings): string {
  return `\`GET /v1/profiles/{id}\`, ${Math.ceil(customers / APPS)} customers of each app with ${facts} facts; ${connections} connections of ${LIGHT_LOAD}; ${rounds} rounds of ${seconds} s per row. Peers find the app of a
token in a table that they were given. ${circumstances()}`;
}
