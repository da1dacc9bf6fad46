import fc from 'fast-check';
import { stopTestServer } from './database.js';

// In CI the same code gives the same result; everywhere else properties try new values at every run.
if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_120 });

/** Mocha's own name for what it runs once after the last test. */
export const mochaGlobalTeardown = stopTestServer;
