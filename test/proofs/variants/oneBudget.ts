import { replacing } from './replacing.js';

/** All apps spend one budget. */
export const load = replacing(
  '/access/RateLimiter.js',
  'limiter.consume(appId, points)',
  "limiter.consume('everybody', points)",
);
