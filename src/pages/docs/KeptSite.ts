import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeptFile } from '../../http/keptFiles.js';
import { loadKept } from '../../http/keptFiles.js';

/** Built by the package in `site/`. The service does not depend on that package's dependencies. */
const FOLDER = fileURLToPath(new URL('../../../../site/built/', import.meta.url));

/** The documentation site in memory: about one megabyte, compressed. */
export interface KeptSite {
  files: ReadonlyMap<string, KeptFile>;
  /** CSP hashes of the inline scripts of its pages. */
  scriptHashes: readonly string[];
}

/** The site; undefined when it was not built. */
export function loadSite(): KeptSite | undefined {
  const policy = join(FOLDER, 'policy.json');
  if (!existsSync(policy)) return undefined;
  const { scriptHashes } = JSON.parse(readFileSync(policy, 'utf8')) as { scriptHashes: string[] };
  return { files: loadKept(FOLDER), scriptHashes };
}
