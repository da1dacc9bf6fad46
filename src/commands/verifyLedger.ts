import type { Database } from '../database/Database.js';
import { brokenLink, GENESIS_HASH } from '../domain/ledger.js';

interface LedgerRow {
  ledger_sequence: number;
  record: string;
  previous_hash: string;
  hash: string;
}

interface LedgerHead {
  ledger_sequence: number;
  hash: string;
  /** The numbers of the first and the last record; null without records. */
  first: number | null;
  last: number;
}

export interface LedgerVerdict {
  appId: string;
  records: number;
  /** The fault, or undefined for a valid chain. */
  problem: string | undefined;
}

const NEXT = {
  name: 'ledger_next',
  text: `SELECT ledger_sequence, record, previous_hash, hash FROM consent_ledger
         WHERE app_id = $1 AND ledger_sequence > $2 ORDER BY ledger_sequence LIMIT 1000`,
};

/**
 * The head, the first and the last record in one snapshot. They change together, so a difference shows a
 * manipulation.
 */
const HEAD = {
  name: 'ledger_head',
  text: `SELECT coalesce(h.ledger_sequence, 0) AS ledger_sequence, coalesce(h.hash, $2) AS hash,
    l.first, coalesce(l.last, 0) AS last
           FROM (SELECT min(ledger_sequence) AS first, max(ledger_sequence) AS last
                   FROM consent_ledger WHERE app_id = $1) l
           LEFT JOIN consent_ledger_heads h ON h.app_id = $1`,
};

/** A record at which the verification begins. */
export interface LedgerPlace {
  sequence: number;
  hash: string;
}

const GENESIS: LedgerPlace = { sequence: 0, hash: GENESIS_HASH };

/**
 * Verifies an app's ledger up to its head and reports the first fault.
 *
 * @param from the record at which it begins; by default the first one
 */
export async function verifyLedger(
  database: Database,
  appId: string,
  from: LedgerPlace = GENESIS,
): Promise<LedgerVerdict> {
  // The head is read first, so records that are appended meanwhile are ignored.
  const [end] = await database.readAs<LedgerHead>(appId, HEAD, [appId, GENESIS_HASH]);
  if (end === undefined) throw new Error('The ledger could not be read.');
  if (end.first !== null && end.first <= GENESIS.sequence)
    return verdict(appId, 0, `record ${end.first} stands before the first one`);
  if (end.last > end.ledger_sequence) return verdict(appId, 0, `the head does not know record ${end.last}`);
  if (end.ledger_sequence < from.sequence)
    return verdict(appId, end.ledger_sequence, `record ${from.sequence}, which was signed, is missing`);
  let last = from;
  while (last.sequence < end.ledger_sequence) {
    const rows = await database.readAs<LedgerRow>(appId, NEXT, [appId, last.sequence]);
    if (rows.length === 0)
      return verdict(appId, last.sequence, `record ${last.sequence + 1} and all after it are missing`);
    for (const row of rows.filter(({ ledger_sequence }) => ledger_sequence <= end.ledger_sequence)) {
      const entry = {
        sequence: row.ledger_sequence,
        record: row.record,
        previousHash: row.previous_hash,
        hash: row.hash,
      };
      const problem = brokenLink(entry, last);
      if (problem !== undefined) return verdict(appId, last.sequence, problem);
      last = { sequence: entry.sequence, hash: entry.hash };
    }
  }
  return verdict(
    appId,
    last.sequence,
    last.hash === end.hash ? undefined : 'the head does not belong to the last record',
  );
}

function verdict(appId: string, records: number, problem: string | undefined): LedgerVerdict {
  return { appId, records, problem };
}
