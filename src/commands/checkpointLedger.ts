import type { KeyObject } from 'node:crypto';
import type { Database } from '../database/Database.js';
import { readCheckpoint, signCheckpoint } from '../domain/checkpoint.js';
import type { Checkpoint } from '../domain/checkpoint.js';
import { verifyLedger } from './verifyLedger.js';

const RECORD = {
  name: 'ledger_record_hash',
  text: 'SELECT ledger_sequence, hash FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = $2',
};

/** Set for an app that was deleted with all its data, including its ledger. */
const ERASED = {
  name: 'ledger_erased_with_app',
  text: `SELECT completed_at FROM app_erasures WHERE app_id = $1 AND status <> 'accepted'
          AND NOT EXISTS (SELECT FROM apps WHERE app_id = $1)`,
};

export interface Known {
  /**
   * The previous checkpoint. The ledger must still have its record; a ledger that has not grown is not
   * signed.
   */
  since?: Checkpoint | undefined;
  /** Whether to verify the ledger from its first record instead of from the previous checkpoint. */
  whole?: boolean;
}

/** A signed line with the state of an app's ledger, or what is wrong with it. Neither when nothing is new. */
export async function checkpointLedger(
  database: Database,
  key: KeyObject,
  appId: string,
  now: Date,
  { since, whole = true }: Known = {},
): Promise<{ line?: string; problem?: string }> {
  const missed = since && differenceFrom(since, await hashOf(database, appId, since.sequence));
  if (missed !== undefined) return { problem: missed };
  const { records, problem } = await verifyLedger(database, appId, whole ? undefined : since);
  if (problem !== undefined) return { problem };
  if (records === since?.sequence) return {};
  const hash = await hashOf(database, appId, records);
  if (hash === undefined) return {};
  return { line: signCheckpoint(key, { app_id: appId, sequence: records, hash, at: now.toISOString() }) };
}

/**
 * Compares ledgers with signed lines that were kept elsewhere. A ledger that was rewritten as a whole has a
 * valid chain, but no longer has the signed record. Ledgers that were deleted with their app are reported
 * separately.
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
    const { app_id: appId, sequence } = checkpoint;
    const found = await hashOf(database, appId, sequence);
    if (found === undefined && (await database.read(ERASED, [appId])).length > 0)
      erased.add(`${appId}: the app was deleted with all it had`);
    else {
      const difference = differenceFrom(checkpoint, found);
      if (difference !== undefined) problems.push(`${appId}: ${difference}`);
    }
  }
  return { checked: lines.length, problems, erased: [...erased] };
}

/** How a ledger's record differs from the signed one. After a restore the last ones are missing. */
function differenceFrom({ sequence, hash, at }: Checkpoint, found: string | undefined): string | undefined {
  if (found === undefined) return `record ${sequence}, signed at ${at}, is missing`;
  return found === hash ? undefined : `record ${sequence} is not the one signed at ${at}`;
}

async function hashOf(database: Database, appId: string, sequence: number): Promise<string | undefined> {
  const [row] = await database.readAs<{ hash: string }>(appId, RECORD, [appId, sequence]);
  return row?.hash;
}
