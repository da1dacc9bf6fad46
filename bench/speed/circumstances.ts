import { cpus, loadavg } from 'node:os';

/** One sentence on where a section was measured: runs of several commands may meet in one report. */
export function circumstances(): string {
  const [load = 0] = loadavg();
  const model = cpus()[0]?.model ?? 'unknown';
  return `On Node ${process.versions.node}, ${cpus().length} cores (${model}); load average at the end ${load.toFixed(1)}.`;
}
