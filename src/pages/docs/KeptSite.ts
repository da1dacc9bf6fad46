import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Built by the package in `site/`. The service does not depend on that package's dependencies. */
const FOLDER = fileURLToPath(new URL('../../../../site/built/', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export interface KeptFile {
  type: string;
  /** The content, stored compressed with gzip. */
  compressed: Buffer;
  /** Whether the name changes with the content. */
  isHashed: boolean;
}

/** The documentation site in memory: about one megabyte, compressed. */
export interface KeptSite {
  files: ReadonlyMap<string, KeptFile>;
  /** CSP hashes of the inline scripts of its pages. */
  scriptHashes: readonly string[];
}

/** The site; undefined when it was not built. */
export function loadSite(folder = FOLDER): KeptSite | undefined {
  const policy = join(folder, 'policy.json');
  if (!existsSync(policy)) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.gz'),
  );
  const { scriptHashes } = JSON.parse(readFileSync(policy, 'utf8')) as { scriptHashes: string[] };
  return { files: new Map(names.map((name) => [pathOf(name), readKept(folder, name)])), scriptHashes };
}

function pathOf(name: string): string {
  return name.slice(0, -'.gz'.length).replaceAll('\\', '/');
}

function readKept(folder: string, name: string): KeptFile {
  const path = pathOf(name);
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    compressed: readFileSync(join(folder, name)),
    isHashed: path.startsWith('assets/'),
  };
}
