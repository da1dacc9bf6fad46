import { replacing } from '../proofs/variants/replacing.js';

/** The service is started by somebody who counts it little: at nice 15. */
export const load = replacing(
  'src/main.js',
  "import cluster from 'node:cluster';",
  `import cluster from 'node:cluster';
import { setPriority } from 'node:os';
setPriority(15);`,
);
