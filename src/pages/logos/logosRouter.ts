import express from 'express';
import { FOR_GOOD } from '../../http/keptFiles.js';
import { loadAppLogo } from '../../loaders/loadAppLogo.js';
import type { AccountServices } from '../../accounts/AccountServices.js';

/** `/logos/{app_id}/{digest}.png`. The headers ensure that browsers treat it only as an image. */
export function logosRouter({ database }: AccountServices): express.Router {
  const router = express.Router();
  router.get('/logos/:appId/:name', async (request, response, next) => {
    const [, digest] = /^([\w-]{16})\.png$/.exec(request.params.name) ?? [];
    const { appId } = request.params;
    const isLogo = digest !== undefined && /^app_[0-9a-z]{26}$/.test(appId);
    const png = isLogo ? await loadAppLogo(database, appId, digest) : undefined;
    if (png === undefined) return next();
    response.set({
      'Content-Type': 'image/png',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': FOR_GOOD,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.end(png);
  });
  return router;
}
