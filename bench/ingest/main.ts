import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { migrate } from '../../src/database/migrate.js';
import { runBench } from './runBench.js';
import type { IngestResult } from './runBench.js';

const SECRETS_KEY = 'test-secrets-key-of-at-least-32-characters';

/**
 * `npm run bench:ingest [EVENTS]`: a PostgreSQL of its own with its default durability (fsync and
 * synchronous_commit on).
 */
const dataDir = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
const postgres = await startEmbeddedPostgres({ dataDir, log, systemRoom: join(dataDir, 'system') });
try {
  const { serviceUrl } = await migrate(postgres.url, { secretsKey: SECRETS_KEY });
  console.log(`Node ${process.version}, ${cpus().length} CPUs, PostgreSQL with fsync, all on this machine`);
  report(await runBench({ ownerUrl: postgres.url, serviceUrl, events: Number(process.argv[2] ?? 100_000) }));
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function report({ events, seconds, memoryMb }: IngestResult): void {
  const line = (what: string, taken: number): void =>
    console.log(`${what}: ${events} in ${taken.toFixed(1)} s = ${Math.round(events / taken)}/s`);
  line('plain multi-row INSERT', seconds.plain);
  line('accepted (idempotency key, gate, references, sequence, inbox)', seconds.accept);
  console.log(`  ratio to the plain INSERT: ${(seconds.plain / seconds.accept).toFixed(2)}`);
  line('applied (events, intents, cursor)', seconds.apply);
  const thirds = memoryMb.thirds.map(Math.round).join(' MiB, ');
  console.log(`memory (RSS): ${thirds} MiB after each third; most ${Math.round(memoryMb.max)} MiB`);
}
