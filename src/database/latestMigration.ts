import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let latest: string | undefined;

/** The name under which the newest migration of this build is recorded. */
export function latestMigration(): string {
  if (latest !== undefined) return latest;
  const folder = fileURLToPath(new URL('../../entities/migrations/', import.meta.url));
  const [timestamp = '', ...words] = (
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .toSorted()
      .at(-1) ?? ''
  )
    .replace('.js', '')
    .split('-');
  latest = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + timestamp;
  return latest;
}
