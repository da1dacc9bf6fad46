import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { FOR_GOOD, typeOfFile } from '../http/keptFiles.js';

/** Static files stay in the source tree because the compiler copies only TypeScript. */
const FOLDER = new URL('../../../src/html/assets/', import.meta.url);

interface Asset {
  path: string;
  type: string;
  content: Buffer;
}

const assets = new Map<string, Asset>();

/** What `assetPath` gives: the name of a file with the hash of its content inside. */
const HASHED = /^\/assets\/(\w+)\.[\w-]{12}\.(\w+)$/;

function load(name: string): Asset {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const content = readFileSync(fileURLToPath(new URL(name, FOLDER)));
  const digest = hash('sha256', content, 'base64url').slice(0, 12);
  const [stem = '', extension = ''] = name.split('.');
  const asset = {
    path: `/assets/${stem}.${digest}.${extension}`,
    type: typeOfFile(name),
    content,
  };
  assets.set(name, asset);
  return asset;
}

/** The path of a static file, with the hash of its content in its name. */
export function assetPath(name: string): string {
  return load(name).path;
}

/**
 * Serves the pages' static files. The file name contains a hash of the content, so browsers may cache it for
 * a year. Under another hash, as pages of another version that runs beside this one name it, the file is
 * served too, and not kept.
 */
export function assetsRouter(): express.Router {
  const router = express.Router();
  const byName = new Map(
    ['pages.css', 'session.js', 'once.js', 'passkey.js', 'choose.js', 'zone.js', 'forget.js', 'icon.svg'].map(
      (name) => [name, load(name)],
    ),
  );
  router.get('/assets/:file', (request, response, next) => {
    const asset = byName.get(request.path.replace(HASHED, '$1.$2'));
    if (asset === undefined) return next();
    response.set({
      'Content-Type': asset.type,
      'Cache-Control': request.path === asset.path ? FOR_GOOD : 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.end(asset.content);
  });
  return router;
}
