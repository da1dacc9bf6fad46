import { replacing } from '../proofs/variants/replacing.js';

/** The thread of the background work dies of an error a second after each of its starts. */
export const load = replacing(
  'src/workThread.js',
  'parentPort?.on(',
  `setTimeout(() => { throw new Error('The thread dies.'); }, 1000);\nparentPort?.on(`,
);
