import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { runLoad } from '../LoadClient.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import type { Settings } from '../settingsFrom.js';
import { requestBytes } from '../Target.js';
import { TARGETS } from '../targets.js';

const INTERVALS = 10;
/** Stands in a comment of every hundredth operation, so that caches of operations see ever new ones. */
const NEW_OPERATION = 0.01;

/**
 * What memory does while all reads of the bench come mixed, with a new token in every interval and new
 * operations all the time.
 */
export async function watchMemory(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  try {
    const { customers, facts, connections, longSeconds } = settings;
    const ids = await harness.seed({ customers, facts });
    const rows = [];
    for (let interval = 0; interval <= INTERVALS; interval += 1) {
      const seconds = interval === 0 ? 0 : longSeconds / INTERVALS;
      const next = mixedReads(ids, await harness.token());
      const load = await runLoad({ port: harness.ours.port, connections, seconds, next });
      if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests failed.`);
      const { residentMb, heapMb } = await harness.ours.memory();
      const minutes = ((interval * longSeconds) / INTERVALS / 60).toFixed(1);
      rows.push([minutes, load.requests, Math.round(residentMb), heapMb.toFixed(1)]);
      say(`${minutes} min: ${Math.round(residentMb)} MB, heap ${heapMb.toFixed(1)} MB`);
    }
    const table = printTable(
      ['minutes', 'requests since', 'resident, MB', 'heap after collection, MB'],
      rows,
    );
    return [{ title: 'Memory under long load', text: `${explain(settings)}\n\n${table}` }];
  } finally {
    await harness.close();
  }
}

function mixedReads(ids: readonly string[], token: string): () => Buffer {
  const reads = TARGETS.filter(({ server }) => server === 'ours');
  return () => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const read = reads[Math.floor(Math.random() * reads.length)];
    const parts = read?.request(id) ?? { path: `/v1/profiles/${id}` };
    if (parts.query === undefined || Math.random() > NEW_OPERATION) return requestBytes(parts, token, id);
    return requestBytes({ ...parts, query: `# ${Math.random()}\n${parts.query}` }, token, id);
  };
}

function explain({ customers, connections, longSeconds }: Settings): string {
  return `One gateway under ${longSeconds} s of as much load as ${connections} connections make: the bench's reads mixed, random ones of ${customers} customers, a new token ${INTERVALS} times, every
hundredth GraphQL operation one never seen before. The first row is before any load. Aim: flat once warm. ${circumstances()}`;
}
