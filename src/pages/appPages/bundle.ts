import { hash } from 'node:crypto';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { KeptFile } from '../../http/keptFiles.js';
import { FOR_GOOD, loadKept, sendKept } from '../../http/keptFiles.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';

/** The scripts and style sheets of a page by name, and where each is served. */
export type Bundle = ReadonlyMap<string, KeptFile & { path: string }>;

/** The build folder of a page's package. The service does not depend on that package's dependencies. */
export function bundleFolder({ name }: FirstPartyPage): URL {
  return new URL(`../../../../${name}/built/`, import.meta.url);
}

/** The bundle; undefined when it was not built. */
export function loadBundle(page: FirstPartyPage, folder = bundleFolder(page)): Bundle | undefined {
  const files = [...loadKept(fileURLToPath(folder))];
  if (files.length === 0) return undefined;
  return new Map(
    files.map(([name, file]) => [name, { ...file, path: `${page.path}/assets/${hashedName(name, file)}` }]),
  );
}

/** @throws Error when the bundle has no such file */
export function bundlePath(bundle: Bundle, name: string): string {
  const file = bundle.get(name);
  if (file === undefined) throw new Error(`The bundle has no ${name}.`);
  return file.path;
}

/** Chunks that import each other already have a hash of their content in the name (`name-HASH`). */
function hashedName(name: string, { compressed }: KeptFile): string {
  const { name: stem, ext } = parse(name);
  if (/-[A-Z0-9]{8}$/.test(stem)) return name;
  const digest = hash('sha256', compressed, 'base64url').slice(0, 12);
  return `${stem}.${digest}${ext}`;
}

/** Serves the bundle. File names contain a hash of the content, so browsers may cache them for a year. */
export function bundleRouter(bundle: Bundle): express.Router {
  const router = express.Router();
  for (const file of bundle.values()) {
    router.get(file.path, (request, response) => {
      sendKept(request, response, file, {
        'Cache-Control': FOR_GOOD,
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
    });
  }
  return router;
}
