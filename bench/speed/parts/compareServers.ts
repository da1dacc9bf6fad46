import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { compareTargets } from '../compareTargets.js';
import type { ComparePlan } from '../compareTargets.js';
import { installPeers } from '../installPeers.js';
import { normalizeFacts } from '../normalizeFacts.js';
import { printAims } from '../printAims.js';
import { LIGHT_LOAD } from '../lightLoad.js';
import { printComparison } from '../printComparison.js';
import { printGateCost } from '../printGateCost.js';
import type { Section } from '../Section.js';
import { CLAIMS_PER_FACT } from '../seedCustomers.js';
import type { ServerProcess } from '../ServerProcess.js';
import type { Settings } from '../settingsFrom.js';
import { TARGETS } from '../targets.js';
import { vacuum } from '../vacuum.js';
import type { Target } from '../Target.js';

/** Servers that read normalized tables. */
const NORMALIZED = new Set(['typeorm', 'postgraphile']);

/**
 * The service beside hand-written code and other people's frameworks: the same data, the same answers, in
 * turns.
 */
export async function compareServers(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  installPeers();
  const harness = await BenchHarness.open();
  try {
    const { customers, facts } = settings;
    say(`Seeding ${customers} customers with ${facts} facts each …`);
    const ids = await harness.seed({ customers, facts });
    const targets = chosenTargets(settings.only);
    if (targets.some(({ server }) => NORMALIZED.has(server)))
      await normalizeFacts(harness.ownerUrl, harness.appId);
    await vacuum(harness.ownerUrl);
    const token = await harness.token();
    const servers = await startServers(harness, targets, token);
    const databaseCpuMs = (): number => harness.databaseCpuMs();
    return await measure(
      { ...settings, targets, servers, ids, token, databaseCpuMs, progress: say },
      settings,
    );
  } finally {
    await harness.close();
  }
}

function chosenTargets(only: string | undefined): Target[] {
  if (only === undefined) return [...TARGETS];
  return TARGETS.filter(
    ({ group, server, name }) => server === 'raw' || `${group} ${server} ${name}`.includes(only),
  );
}

async function startServers(
  harness: BenchHarness,
  targets: readonly Target[],
  token: string,
): Promise<Map<string, ServerProcess>> {
  const servers = new Map([['ours', harness.ours]]);
  for (const { server } of targets) {
    if (servers.has(server)) continue;
    servers.set(server, await startServer(harness, server, token));
  }
  return servers;
}

function startServer(harness: BenchHarness, server: string, token: string): Promise<ServerProcess> {
  if (server === 'gated') return harness.startGated();
  if (server === 'ungated') return harness.startUngated();
  return harness.startPeer(server, token);
}

async function measure(plan: ComparePlan, { customers, facts }: Settings): Promise<Section[]> {
  const measured = await compareTargets(plan);
  const setting = `${customers} customers with ${facts} facts of ${CLAIMS_PER_FACT} claims each, asked for at random over ${plan.connections} connections of ${LIGHT_LOAD}; ${plan.rounds} rounds
of ${plan.seconds} s per row. ${circumstances()}`;
  const explained = `${setting} Every row's answer was compared value for value with the others of its table. A ratio of 1 is as
fast as hand-written, .5 half as fast (or twice the processor time).`;
  return [
    { title: 'The aims', text: `${printAims(measured)}\n${printGateCost(measured)}` },
    { title: 'Beside hand-written code and others', text: `${explained}\n\n${printComparison(measured)}` },
  ];
}
