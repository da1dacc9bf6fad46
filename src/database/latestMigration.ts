import { knownMigrations } from './schemaVersion.js';

let latest: string | undefined;

/** The recorded name of this build's newest migration. */
export function latestMigration(): string {
  latest ??= knownMigrations().at(-1) ?? '';
  return latest;
}
