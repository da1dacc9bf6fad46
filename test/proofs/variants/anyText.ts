import { replacing } from './replacing.js';

/** Text that PostgreSQL cannot hold is taken. */
export const load = replacing(
  '/domain/jsonValue.js',
  "if (text.includes('\\0'))",
  "if (text === '\\0never')",
);
