import { replacing } from '../proofs/variants/replacing.js';

/** The first threads of the background work die of an error a second after their start. */
export const load = replacing(
  'src/workThread.js',
  'parentPort?.on(',
  `const { threadId } = await import('node:worker_threads');
if (threadId < 8) setTimeout(() => { throw new Error('The thread dies.'); }, 1000);
parentPort?.on(`,
);
