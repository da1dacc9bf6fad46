import type { Request, Response } from 'express';
import express from 'express';
import { gunzipSync } from 'node:zlib';
import type { KeptFile, KeptSite } from './KeptSite.js';

/** The CSP hash of an empty style element: the REST reference adds rules to one through the DOM. */
const EMPTY_STYLE = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** The CSP hash of the style element with which the REST reference makes its navigation scroll. */
const SCROLLBAR_STYLE = 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc=';

/** The documentation site at `/docs`. Page URLs have no `.html`. */
export function docsRouter(site: KeptSite | undefined): express.Router {
  const router = express.Router({ strict: true });
  if (site === undefined) return router;
  const policy = contentPolicy(site);
  router.get('/docs', (_request, response) => response.redirect(308, '/docs/'));
  router.get('/docs/{*path}', (request, response, next) => {
    const [file, status] = findFile(site, request.path.slice('/docs/'.length));
    if (file === undefined) return next();
    sendFile(request, response.status(status), file, policy);
  });
  return router;
}

/** The file of a path, the page of a URL without `.html`, or the site's 404 page. */
function findFile({ files }: KeptSite, path: string): [KeptFile | undefined, 200 | 404] {
  const index = `${path.replace(/[^/]$/, '$&/')}index.html`;
  const found = files.get(path) ?? files.get(`${path}.html`) ?? files.get(index);
  return found === undefined ? [files.get('404.html'), 404] : [found, 200];
}

/** Own files only. The inline scripts (theme before first paint) are allowed by their hashes. */
function contentPolicy({ scriptHashes }: KeptSite): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`,
    `style-src 'self' '${EMPTY_STYLE}' '${SCROLLBAR_STYLE}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendFile(request: Request, response: Response, file: KeptFile, policy: string): void {
  const compressed = request.acceptsEncodings('gzip') === 'gzip';
  response.set({
    'Content-Type': file.type,
    'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    'Content-Security-Policy': policy,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(compressed ? file.compressed : gunzipSync(file.compressed));
}
