import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { Bed } from './Bed.js';
import { compareTargets } from './compareTargets.js';
import { installPeers } from './installPeers.js';
import { normalizeFacts } from './normalizeFacts.js';
import { printComparison } from './printComparison.js';
import { seedCustomers } from './seedCustomers.js';
import type { ServerProcess } from './ServerProcess.js';
import { TARGETS } from './targets.js';
import type { Target } from './Target.js';

/** Servers that read normalized tables. */
const NORMALIZED = new Set(['typeorm', 'postgraphile']);

const REPORT = 'docs/performance.md';

/** `--name=number` of the command line. */
function option(name: string, fallback: number): number {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const settings = {
  customers: option('customers', 2000),
  facts: option('facts', 12),
  rounds: option('rounds', 5),
  seconds: option('seconds', 2),
  connections: option('connections', 32),
};
/** `--only=text` measures the targets whose group, server or name holds the text, beside raw. */
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosenTargets(): Target[] {
  if (only === undefined) return [...TARGETS];
  return TARGETS.filter(
    (target) => target.server === 'raw' || `${target.group} ${target.server} ${target.name}`.includes(only),
  );
}

async function run(): Promise<void> {
  installPeers();
  const bed = await Bed.open();
  try {
    say(`Seeding ${settings.customers} customers with ${settings.facts} facts each …`);
    const ids = await seedCustomers({
      ...bed,
      customers: settings.customers,
      facts: settings.facts,
      claimsPerFact: 3,
      prefix: 'bench',
    });
    const targets = chosenTargets();
    if (targets.some(({ server }) => NORMALIZED.has(server))) await normalizeFacts(bed.ownerUrl, bed.appId);
    const token = await bed.token();
    const servers = new Map<string, ServerProcess>([['ours', bed.ours]]);
    for (const { server } of targets) if (!servers.has(server)) servers.set(server, await bed.startPeer(server, token));
    const measured = await compareTargets({
      ...settings,
      targets,
      servers,
      ids,
      token: () => Promise.resolve(token),
      progress: say,
    });
    const report = printReport(printComparison(measured));
    say(report);
    if (only === undefined) writeFileSync(REPORT, report);
  } finally {
    await bed.close();
  }
}

function printReport(tables: string): string {
  const { customers, facts, rounds, seconds, connections } = settings;
  return `# How fast it is

Made by \`npm run bench\` on Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}): ${customers} customers with ${facts} facts each, ${connections} connections,
random customers, ${rounds} interleaved rounds of ${seconds} s per row; load, servers and PostgreSQL share the machine (load average at the end: ${loadavg()[0]?.toFixed(1) ?? '?'}). Every row's answer was compared
value for value with the others of its table. Ratios are to the hand-written server in the same round: the median, in brackets
the lowest and highest; 1 is as fast as hand-written, .5 is half as fast (or twice the CPU time).

${tables}`;
}

await run();
