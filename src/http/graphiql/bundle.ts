import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import express from 'express';

/** Built by the package in `graphiql/`, whose parts are no dependency of the service. */
const FOLDER = new URL('../../../../graphiql/built/', import.meta.url);

interface BundleFile {
  path: string;
  type: string;
  compressed: Buffer;
}

/** GraphiQL's script and style sheet, compressed as they are kept. */
export interface Bundle {
  script: BundleFile;
  style: BundleFile;
}

/** The bundle, or undefined when it was not built. */
export function loadBundle(folder = FOLDER): Bundle | undefined {
  const script = loadFile(folder, 'graphiql.js', 'text/javascript');
  const style = loadFile(folder, 'graphiql.css', 'text/css');
  return script && style && { script, style };
}

function loadFile(folder: URL, name: string, type: string): BundleFile | undefined {
  const place = fileURLToPath(new URL(`${name}.gz`, folder));
  if (!existsSync(place)) return undefined;
  const compressed = readFileSync(place);
  const hash = createHash('sha256').update(compressed).digest('base64url').slice(0, 12);
  const [stem, extension] = name.split('.');
  return { path: `/graphiql/assets/${stem}.${hash}.${extension}`, type: `${type}; charset=utf-8`, compressed };
}

/** Serves the bundle; names change with the content, so browsers may keep it for good. */
export function bundleRouter({ script, style }: Bundle): express.Router {
  const router = express.Router();
  for (const file of [script, style]) {
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
