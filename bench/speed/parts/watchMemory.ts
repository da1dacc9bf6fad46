import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { seedEntries } from '../compareWrites.js';
import { runLoad } from '../LoadClient.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import type { Settings } from '../settingsFrom.js';
import { requestBytes } from '../Target.js';
import { TARGETS } from '../targets.js';
import { makeClaims, postBytes, WRITE_GROUPS } from '../writeTargets.js';
import { countWaiting } from '../countWaiting.js';

const INTERVALS = 10;
/** Stands in a comment of every hundredth operation, so that caches of operations see ever new ones. */
const NEW_OPERATION = 0.01;

/** Of 100 requests, so many read; of the others, so many are batches and the rest single writes. */
const READS = 0.7;
const BATCHES = 0.2;

/** Claims of one batch, and requests a second: no more than is applied meanwhile on a slow machine. */
const CLAIMS_OF_BATCH = 10;
const RATE = 300;

/**
 * What memory does in the default process, which serves and does the background work, under ten minutes of
 * reads and writes, with a new token in every interval and new operations all the time.
 */
export async function watchMemory(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  try {
    const { customers, facts, connections, longSeconds } = settings;
    const ids = await harness.seed({ customers, facts });
    await seedEntries(harness);
    const whole = await harness.startWhole();
    const rows = [];
    for (let interval = 0; interval <= INTERVALS; interval += 1) {
      const seconds = interval === 0 ? 0 : longSeconds / INTERVALS;
      const next = mixedRequests(ids, await harness.token());
      const load = await runLoad({
        port: whole.port,
        connections,
        seconds,
        next,
        rate: RATE,
        status: [200, 201, 202],
      });
      const { residentMb, heapMb } = await whole.memory();
      const waiting = await countWaiting(harness.ownerUrl);
      const minutes = ((interval * longSeconds) / INTERVALS / 60).toFixed(1);
      rows.push([minutes, load.requests, load.failures, waiting, Math.round(residentMb), heapMb.toFixed(1)]);
      say(
        `${minutes} min: ${Math.round(residentMb)} MB, heap ${heapMb.toFixed(1)} MB, ${waiting} items wait`,
      );
    }
    const table = printTable(
      [
        'minutes',
        'requests since',
        'of them failed',
        'items that wait',
        'resident, MB',
        'heap after collection, MB',
      ],
      rows,
    );
    return [{ title: 'Memory under long load', text: `${explain(settings)}\n\n${table}` }];
  } finally {
    await harness.close();
  }
}

function mixedRequests(ids: readonly string[], token: string): () => Buffer {
  const read = mixedReads(ids, token);
  const writes = Object.values(WRITE_GROUPS);
  return () => {
    const kind = Math.random();
    if (kind < READS) return read();
    if (kind < READS + BATCHES) return postBytes('/v1/claims/batch', token, makeClaims(ids, CLAIMS_OF_BATCH));
    const { path, body } = anyOf(writes);
    return postBytes(path, token, body(anyOf(ids)));
  };
}

function mixedReads(ids: readonly string[], token: string): () => Buffer {
  const reads = TARGETS.filter(({ server }) => server === 'ours');
  return () => {
    const id = anyOf(ids);
    const parts = anyOf(reads).request(id);
    if (parts.query === undefined || Math.random() > NEW_OPERATION) return requestBytes(parts, token, id);
    return requestBytes({ ...parts, query: `# ${Math.random()}\n${parts.query}` }, token, id);
  };
}

function anyOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

function explain({ customers, connections, longSeconds }: Settings): string {
  return `The service as \`npm start\` runs it, one process with a thread for background work, under ${longSeconds} s of ${RATE} requests/s over ${connections} connections: ${100 * READS} % the bench's reads mixed, ${100 * BATCHES} % batches of ${CLAIMS_OF_BATCH} claims,
the rest single writes of every kind. Of ${customers} customers at random, with a new token ${INTERVALS} times, every hundredth GraphQL operation one never
seen before. The first row is before any load. A request that fails was given up by the service (503), as it does on a machine that is
busy with other work. Aim: flat once warm. ${circumstances()}`;
}
