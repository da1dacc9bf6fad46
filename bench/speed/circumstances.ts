import { cpus, loadavg } from 'node:os';

/** One sentence about the machine of a section: one report may contain sections of several runs. */
export function circumstances(): string {
  const [load = 0] = loadavg();
  const model = cpus()[0]?.model ?? 'unknown';
  return `On Node ${process.versions.node}, ${cpus().length} cores (${model}); load average at the end ${load.toFixed(1)}.`;
}
