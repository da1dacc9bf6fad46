import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Patience } from './reachDatabase.js';
import { StartFailure } from './StartFailure.js';

const PAUSE_MS = 500;

/**
 * Migrations that earlier builds had and this version has no more: a database may have recorded them. What
 * they made does no harm, or a later migration takes it away.
 */
export const WITHDRAWN_MIGRATIONS = ['ToldEvents1763600000060', 'EventsByCategory1763600000079'];

/** The recorded names of this version's migrations, oldest first. */
export function knownMigrations(): string[] {
  const folder = fileURLToPath(new URL('../../entities/migrations/', import.meta.url));
  const files = readdirSync(folder).filter((name) => /^\d+-.*\.js$/.test(name));
  return files.toSorted().map(recordedName);
}

/** The name by which the migration of a file is recorded. */
export function recordedName(file: string): string {
  const [timestamp = '', ...words] = file.replace(/\.[jt]s$/, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + timestamp;
}

/**
 * Refuses a database migrated by a newer version: this version does not know what it would break.
 *
 * @throws StartFailure naming the newest unknown migration
 */
export async function refuseNewerSchema(ownerUrl: string): Promise<void> {
  const known = new Set([...knownMigrations(), ...WITHDRAWN_MIGRATIONS]);
  const newer = (await recordedMigrations(ownerUrl)).filter((name) => !known.has(name)).at(-1);
  if (newer === undefined) return;
  throw new StartFailure(
    `The database is newer than this version of the service: it has the migration ${newer}. Start the version that ` +
      `made it, or set NEWER_SCHEMA=allow while you upgrade or roll back (docs/operations.md).`,
  );
}

/**
 * Waits until `npm run migrate` has migrated the database to this version.
 *
 * @throws StartFailure when that does not happen in time
 */
export async function awaitMigrations(ownerUrl: string, { waitMs, onWait }: Patience): Promise<void> {
  const end = performance.now() + waitMs;
  for (let tries = 0; ; tries += 1) {
    const recorded = new Set(await recordedMigrations(ownerUrl));
    const missing = knownMigrations().filter((name) => !recorded.has(name));
    if (missing.length === 0) return;
    const reason = `The database lacks ${missing.length} migrations of this version; run npm run migrate.`;
    if (performance.now() > end) throw new StartFailure(reason);
    if (tries === 0) onWait(reason);
    await sleep(PAUSE_MS);
  }
}

async function recordedMigrations(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const there = await client.query<{ there: boolean }>(
      `SELECT to_regclass('schema_migrations') IS NOT NULL AS there`,
    );
    if (there.rows[0]?.there !== true) return [];
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM schema_migrations ORDER BY "timestamp"',
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
