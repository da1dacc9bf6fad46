import type { KeyObject } from 'node:crypto';
import type { Database } from '../database/Database.js';
import { readCheckpoint, signCheckpoint } from '../domain/checkpoint.js';
import type { Checkpoint } from '../domain/checkpoint.js';
import { verifyLedger } from './verifyLedger.js';

const RECORD = {
  name: 'ledger_record_hash',
  text: 'SELECT ledger_sequence, hash FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = $2',
};

/** An app that was deleted with all it had, its ledger included; undefined for any other. */
const ERASED = {
  name: 'ledger_erased_with_app',
  text: `SELECT completed_at FROM app_erasures WHERE app_id = $1 AND status <> 'accepted'
          AND NOT EXISTS (SELECT FROM apps WHERE app_id = $1)`,
};

export interface Known {
  /**
   * The checkpoint before: the ledger must still have that record, and nothing is signed where it has not
   * grown.
   */
  since?: Checkpoint | undefined;
  /** Whether to follow the ledger from its first record; else from the checkpoint before. */
  whole?: boolean;
}

/**
 * A signed line that says how far an app's ledger has come, or what is wrong with the ledger; neither for one
 * with nothing new.
 */
export async function checkpointLedger(
  database: Database,
  key: KeyObject,
  appId: string,
  now: Date,
  { since, whole = true }: Known = {},
): Promise<{ line?: string; problem?: string }> {
  if (since !== undefined && (await hashOf(database, appId, since.sequence)) !== since.hash)
    return { problem: `record ${since.sequence} is not the one signed at ${since.at}` };
  const { records, problem } = await verifyLedger(database, appId, whole ? undefined : since);
  if (problem !== undefined) return { problem };
  if (records === since?.sequence) return {};
  const hash = await hashOf(database, appId, records);
  if (hash === undefined) return {};
  return { line: signCheckpoint(key, { app_id: appId, sequence: records, hash, at: now.toISOString() }) };
}

/**
 * What is wrong with the ledgers by signed lines that were kept elsewhere: a ledger that was rewritten as a
 * whole is no longer the one that was signed, however well its own chain holds. Ledgers that went with their
 * app are told apart.
 */
export async function findRewritten(
  database: Database,
  publicKey: string,
  lines: readonly string[],
): Promise<{ checked: number; problems: string[]; erased: string[] }> {
  const problems: string[] = [];
  const erased = new Set<string>();
  for (const [place, line] of lines.entries()) {
    const checkpoint = readCheckpoint(publicKey, line);
    if (checkpoint === undefined) {
      problems.push(`line ${place + 1} is not a checkpoint that this key signed`);
      continue;
    }
    const { app_id: appId, sequence, hash, at } = checkpoint;
    const found = await hashOf(database, appId, sequence);
    if (found === undefined && (await database.read(ERASED, [appId])).length > 0)
      erased.add(`${appId}: the app was deleted with all it had`);
    else if (found !== hash)
      problems.push(
        `${appId}: record ${sequence} is ${found === undefined ? 'missing' : 'not'} the one signed at ${at}`,
      );
  }
  return { checked: lines.length, problems, erased: [...erased] };
}

async function hashOf(database: Database, appId: string, sequence: number): Promise<string | undefined> {
  const [row] = await database.readAs<{ hash: string }>(appId, RECORD, [appId, sequence]);
  return row?.hash;
}
