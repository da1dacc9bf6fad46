import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { stopTestServer } from './database.js';
import { recordStatements } from './recordStatements.js';

// In CI the same code gives the same result; everywhere else properties try new values at every run.
if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_120 });

/** `RECORD_STATEMENTS` names a file for what this run sends to PostgreSQL (test/proofs/citus). */
const { RECORD_STATEMENTS: file } = process.env;
const recorder = file === undefined ? undefined : recordStatements();

/** Mocha's own name for what it runs once after the last test. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (file !== undefined) writeFileSync(file, serialize(recorder?.stop()));
  await stopTestServer();
}
