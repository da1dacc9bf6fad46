import { compareApps } from './parts/compareApps.js';
import { compareProcesses } from './parts/compareProcesses.js';
import { compareServers } from './parts/compareServers.js';
import { growBatches } from './parts/growBatches.js';
import { growWithClaims } from './parts/growWithClaims.js';
import { growWithCustomers } from './parts/growWithCustomers.js';
import { measureBeside } from './parts/measureBeside.js';
import { measureLatency } from './parts/measureLatency.js';
import { measureWrites } from './parts/measureWrites.js';
import { watchMemory } from './parts/watchMemory.js';
import type { Section } from './Section.js';
import { settingsFrom } from './settingsFrom.js';
import type { Part, Settings } from './settingsFrom.js';
import { writeReport } from './writeReport.js';

const MEASURE: Record<Part, (settings: Settings, say: (line: string) => void) => Promise<Section[]>> = {
  comparison: compareServers,
  apps: compareApps,
  latency: measureLatency,
  beside: measureBeside,
  claims: growWithClaims,
  customers: growWithCustomers,
  batches: growBatches,
  processes: compareProcesses,
  writes: measureWrites,
  memory: watchMemory,
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(part: Part, settings: Settings): Promise<void> {
  const started = performance.now();
  const sections = await MEASURE[part](settings, say);
  for (const { title, text } of sections) say(`\n## ${title}\n\n${text}`);
  if (settings.only === undefined) await writeReport(settings.report, sections);
  say(`(${part}: ${Math.round((performance.now() - started) / 1000)} s)`);
}

const settings = settingsFrom(process.argv.slice(2));
for (const part of settings.parts) {
  try {
    await measure(part, settings);
  } catch (error) {
    // The other parts can still be measured.
    console.error(`${part} failed:`, error);
    process.exitCode = 1;
  }
}
