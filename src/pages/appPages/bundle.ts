import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', json: 'application/json' };

interface BundleFile {
  path: string;
  type: string;
  compressed: Buffer;
}

/** The scripts and style sheets of a page by name, stored compressed. */
export type Bundle = ReadonlyMap<string, BundleFile>;

/** The build folder of a page's package. The service does not depend on that package's dependencies. */
export function bundleFolder({ name }: FirstPartyPage): URL {
  return new URL(`../../../../${name}/built/`, import.meta.url);
}

/** The bundle; undefined when it was not built. */
export function loadBundle(page: FirstPartyPage, folder = bundleFolder(page)): Bundle | undefined {
  const place = fileURLToPath(folder);
  const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.gz')) : [];
  if (names.length === 0) return undefined;
  return new Map(names.map((name) => [name.slice(0, -'.gz'.length), loadFile(page, folder, name)]));
}

/** @throws Error when the bundle has no such file */
export function bundlePath(bundle: Bundle, name: string): string {
  const file = bundle.get(name);
  if (file === undefined) throw new Error(`The bundle has no ${name}.`);
  return file.path;
}

function loadFile(page: FirstPartyPage, folder: URL, name: string): BundleFile {
  const compressed = readFileSync(fileURLToPath(new URL(name, folder)));
  const [stem = '', extension = ''] = name.split('.');
  return {
    path: `${page.path}/assets/${hashedName(stem, extension, compressed)}`,
    type: `${TYPES[extension] ?? 'application/octet-stream'}; charset=utf-8`,
    compressed,
  };
}

/** Chunks that import each other already have a hash of their content in the name (`name-HASH`). */
function hashedName(stem: string, extension: string, compressed: Buffer): string {
  if (/-[A-Z0-9]{8}$/.test(stem)) return `${stem}.${extension}`;
  const hash = createHash('sha256').update(compressed).digest('base64url').slice(0, 12);
  return `${stem}.${hash}.${extension}`;
}

/** Serves the bundle. File names contain a hash of the content, so browsers may cache them for a year. */
export function bundleRouter(bundle: Bundle): express.Router {
  const router = express.Router();
  for (const file of bundle.values()) {
    router.get(file.path, (request, response) => {
      const compressed = request.acceptsEncodings('gzip') === 'gzip';
      response.set({
        'Content-Type': file.type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
      });
      response.end(compressed ? file.compressed : gunzipSync(file.compressed));
    });
  }
  return router;
}
