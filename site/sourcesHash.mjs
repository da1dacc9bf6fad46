import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A digest over everything that the site is built from, so that a test sees when `site/built` is out of date.
 */
export function sourcesHash(root) {
  const hash = createHash('sha256');
  for (const file of [
    ...below(root, 'docs'),
    ...below(root, 'site'),
    'schema/schema.graphql',
    'schema/access.md',
  ].toSorted())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function below(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (['built', 'node_modules', '.work'].includes(entry.name)) return [];
    return entry.isDirectory() ? below(root, path) : [path];
  });
}
