import { replacing } from '../proofs/variants/replacing.js';

/** Background work computes without end. */
export const load = replacing('src/jobs/startJobs.js', 'const workers = [', 'for (;;);\nconst workers = [');
