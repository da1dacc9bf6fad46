import express from 'express';
import { FOR_GOOD, sendKept } from '../../http/keptFiles.js';
import type { KeptSite } from './KeptSite.js';

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
    const found = findPath(site, request.path.slice('/docs/'.length));
    const path = found ?? '404.html';
    const file = site.files.get(path);
    if (file === undefined) return next();
    sendKept(request, response.status(found === undefined ? 404 : 200), file, {
      'Cache-Control': path.startsWith('assets/') ? FOR_GOOD : 'public, max-age=300',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
    });
  });
  return router;
}

/** The path of a file: as it is asked for, or that of the page of a URL without `.html`. */
function findPath({ files }: KeptSite, path: string): string | undefined {
  const index = `${path.replace(/[^/]$/, '$&/')}index.html`;
  return [path, `${path}.html`, index].find((name) => files.has(name));
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
