import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from '../bin/bundleParts.mjs';

/**
 * A digest over everything that the site is built from, so that a test sees when `site/built` is out of date.
 */
export function sourcesHash(root) {
  const files = [...below(root, 'docs'), ...below(root, 'site')];
  const contracts = ['schema/schema.graphql', 'schema/openapi.json', 'schema/access.md'];
  return hashOfFiles([...files, 'bin/bundleParts.mjs', ...contracts], root);
}

function below(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (['built', 'node_modules', '.work'].includes(entry.name)) return [];
    return entry.isDirectory() ? below(root, path) : [path];
  });
}
