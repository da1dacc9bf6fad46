import { knownMigrations } from './schemaVersion.js';

let latest: string | undefined;

/** The name under which the newest migration of this build is recorded. */
export function latestMigration(): string {
  latest ??= knownMigrations().at(-1) ?? '';
  return latest;
}
