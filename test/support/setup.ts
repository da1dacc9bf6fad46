import { stopTestServer } from './database.js';

/** Mocha's own name for what it runs once after the last test. */
export const mochaGlobalTeardown = stopTestServer;
