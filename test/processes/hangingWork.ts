import type { LoadHook } from 'node:module';
import { replacing } from '../proofs/variants/replacing.js';

const hangs = replacing('src/jobs/startJobs.js', 'const workers = [', 'for (;;);\nconst workers = [');
const endsSooner = replacing('src/processes/WorkThread.js', 'STOP_MS = 9500', 'STOP_MS = 2000');

/** Background work computes without end. The process waits two seconds for it at its end, not ten. */
export const load: LoadHook = (url, context, nextLoad) =>
  hangs(url, context, (next, more) => endsSooner(next, { ...context, ...more }, nextLoad));
