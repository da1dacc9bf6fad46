// What the builds of the dashboard, GraphiQL and the documentation site share. They are packages of their own,
// so this file needs nothing but Node.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A digest over the names and contents of files. A test compares that of what was built with that of its
 * sources, so that a change without a build is noticed.
 */
export function hashOfFiles(names, folder = '.') {
  const hash = createHash('sha256');
  for (const name of names.toSorted())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}

/** The licences of the packages that the inputs of a bundle are from. */
export function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  return [...folders].sort().map(licenceOf).join('\n\n');
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version}\n${'='.repeat(80)}\n${text}`;
}
