import { replacing } from './replacing.js';

/** A loader of modules under which bodies are kept whole, whatever their size, and not counted. */
export const load = replacing(
  '/http/readBody.js',
  "Number(request.headers['content-length'] ?? 0) > limit",
  '((limit = Infinity), (count = undefined), false)',
);
